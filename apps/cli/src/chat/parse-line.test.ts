import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chatCommands, parseLine } from './parse-line.js';

test.each([
  ['', { kind: 'nothing' }],
  [' \t ', { kind: 'nothing' }],
  ['  what is this?  ', { kind: 'request', text: 'what is this?' }],
  ['and /pdf in the middle', { kind: 'request', text: 'and /pdf in the middle' }],
  ['//etc/hosts is a file', { kind: 'request', text: '/etc/hosts is a file' }],
  ['// a comment', { kind: 'request', text: '/ a comment' }],
  ['/pdf', { kind: 'skill', name: 'pdf', words: '', called: false }],
  ['/pdf  read it ', { kind: 'skill', name: 'pdf', words: 'read it', called: false }],
  ['/acme/pdf\tread\nit', { kind: 'skill', name: 'acme/pdf', words: 'read\nit', called: false }],
  ['/日本語 読む', { kind: 'skill', name: '日本語', words: '読む', called: false }],
  ['/skill pdf read it', { kind: 'skill', name: 'pdf', words: 'read it', called: true }],
  ['/skill help me', { kind: 'skill', name: 'help', words: 'me', called: true }],
  ['/skill', { kind: 'command', name: 'skill', words: '' }],
  ['/skills', { kind: 'command', name: 'skills', words: '' }],
  ['/skills tables', { kind: 'command', name: 'skills', words: 'tables' }],
  ['/disable pdf', { kind: 'command', name: 'disable', words: 'pdf' }],
  ['/quit', { kind: 'command', name: 'quit', words: '' }],
  ['/', { kind: 'skill', name: '', words: '', called: false }],
  ['/constructor', { kind: 'skill', name: 'constructor', words: '', called: false }],
])('%j is read as %j', (line, meant) => {
  expect(parseLine(line)).toEqual(meant);
});

test('whatever is typed is read, and only a slash makes it something else than a request', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string().map((text) => `/${text}`),
      ),
      (line) => {
        const meant = parseLine(line);
        const slash = line.trim().startsWith('/') && !line.trim().startsWith('//');
        expect(meant.kind === 'command' || meant.kind === 'skill').toBe(slash);
        if (meant.kind === 'request') expect(meant.text).toBe(line.trim().replace(/^\/\//u, '/'));
        if (meant.kind === 'command') expect(Object.keys(chatCommands)).toContain(meant.name);
      },
    ),
  );
});
