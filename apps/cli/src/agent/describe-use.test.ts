import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApprovalRequest } from '@skillpack/core';
import { describeUse } from './describe-use.js';

function useOf(tool: string, input: unknown) {
  const request: ApprovalRequest = {
    run: 'one',
    id: 'a1',
    action: 'call_tool',
    tool,
    risk: 'high',
    skill: undefined,
    summary: `${tool} in a line`,
    input,
  };
  return describeUse(request);
}

test('of an edit one sees the path, then what goes and what comes, line by line', () => {
  expect(useOf('edit_file', { new_text: 'one\ntwo\n', old_text: 'one\n', path: 'src/a.ts' })).toEqual({
    title: 'src/a.ts',
    lines: ['- one', '+ one', '+ two'],
    all: undefined,
  });
  const everywhere = useOf('edit_file', { path: 'a', old_text: 'b', new_text: '', replace_all: true });
  expect([everywhere.title, everywhere.lines]).toEqual(['a, wherever it stands', ['- b']]);
});

test('of a file one sees the path, how long it is and how it begins; what is left out is counted, and there to be asked for', () => {
  const short = useOf('write_file', { content: 'Hello.\n', path: 'note.txt' });
  expect(short).toEqual({ title: 'note.txt, 1 line of 7 characters', lines: ['| Hello.'], all: undefined });
  const content = Array.from({ length: 300 }, (_, at) => `line ${at}`).join('\n');
  const { title, lines, all } = useOf('write_file', { content, path: 'long.txt' });
  expect(title).toMatch(/^long\.txt, 300 lines of [\d,]+ characters$/u);
  expect(lines).toHaveLength(13);
  expect([lines[0], lines[12]]).toEqual([
    '| line 0',
    expect.stringMatching(/^\[… 288 more lines of [\d,]+ characters …\]$/u),
  ]);
  expect([all?.length, all?.at(-1)]).toEqual([300, '| line 299']);
  expect(useOf('write_file', { content: '', path: 'a' })).toEqual({ title: 'a, empty', lines: [], all: undefined });
  expect(useOf('write_file', { content: 'a\r\nb', path: 'a' }).title).toContain('with carriage returns');
});

test('of a deletion one sees the path, of a request where it goes and what it sends, and nothing else is left out', () => {
  expect(useOf('delete_file', { path: 'a.txt', expected_digest: 'sha256:1' })).toMatchObject({
    title: 'a.txt',
    lines: ['expected_digest: sha256:1'],
  });
  const input = { url: 'https://example.com/x', method: 'POST', headers: { 'x-a': 'b' }, body: 'one\ntwo' };
  expect(useOf('http_request', input)).toMatchObject({
    title: 'POST https://example.com/x',
    lines: ['header x-a: b', 'body of 2 lines of 7 characters:', '| one', '| two'],
  });
  expect(useOf('http_request', { url: 'https://example.com/' }).title).toBe('GET https://example.com/');
});

test('a command is shown as it is typed; of a long one, all is shown first', () => {
  expect(useOf('run_command', { command: `git log "a b"` })).toEqual({ title: `git log "a b"`, lines: [] });
  expect(useOf('run_command', { command: 'a\nb', timeout_seconds: 5 })).toEqual({
    title: 'a',
    lines: ['b', 'timeout_seconds: 5'],
  });
  const long = useOf('run_command', { command: `echo ${'x'.repeat(1_000)}; rm -rf ~` });
  expect([long.needsAll, long.all]).toEqual([true, [expect.stringMatching(/; rm -rf ~$/u)]]);
});

test('an input that is not as the tool expects it is shown as the line that says what would be done', () => {
  for (const [tool, input] of [
    ['write_file', { path: 'a' }],
    ['edit_file', { path: 'a', old_text: 'b' }],
    ['delete_file', {}],
    ['run_command', { command: ['rm'] }],
    ['http_request', { url: 'https://a', body: 7 }],
    ['other', { path: 'a' }],
    ['toString', { path: 'a' }],
    ['write_file', ['a']],
  ] as const) {
    expect(useOf(tool, input), tool).toEqual({ title: `${tool} in a line`, lines: [] });
  }
});

test('whatever a text holds, all of it is shown or counted, and no line of it looks like the question', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u001B', '\u202E', 'Allow it? '), maxLength: 400 });
  fc.assert(
    fc.property(text, text, (path, content) => {
      const { title, lines, all = lines } = useOf('write_file', { path, content });
      for (const line of [title, ...lines, ...all]) {
        expect(line).not.toMatch(/[\n\r\u202E]/u);
        expect(line.includes('\u001B')).toBe(false);
      }
      for (const line of lines) expect(line).toMatch(/^(?:\| |\[… )/u);
      const letters = (shown: readonly string[]): number => shown.join('').split('a').length - 1;
      expect(letters(all.filter((line) => line.startsWith('| ')))).toBe(content.split('a').length - 1);
    }),
  );
});
