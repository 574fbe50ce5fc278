import { expect, test } from 'vitest';
import { readCommandLine } from './read-command-line.js';

test('a command of plain words is read word by word', () => {
  expect(readCommandLine('git log  --oneline -3')).toEqual({
    kind: 'commands',
    commands: [{ words: ['git', 'log', '--oneline', '-3'], assignments: [], redirects: [] }],
  });
});

test.each(['git status; rm -rf .', 'git $(rm)', 'A=b git', 'eval rm', 'git "status"'])('%s is opaque', (text) => {
  expect(readCommandLine(text).kind).toBe('opaque');
});
