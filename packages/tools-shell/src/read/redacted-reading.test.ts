import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createRedactor } from '@skillpack/core';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createReadTools } from './read-tools.js';

const value = 'Zq8-VALUE-9x7w6v5u4t3s2r1q0p-END';
const token = 'ghp_aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gH3jK5';
const keyLines = Array.from({ length: 6 }, (_, index) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj${index}Fc`);
const key = ['-----BEGIN PRIVATE KEY-----', ...keyLines, '-----END PRIVATE KEY-----'].join('\n');
const lines = 'first-line-of-it-Ab12\nsecond-line-of-it-Cd34\nthird-Ef56';
const invisible = 'päss\u200Bwörd12';

/** What the tools say of files with these texts, where some values are secrets. */
function makeReader(texts: Readonly<Record<string, string | Uint8Array>>, answerLength = 12_000) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-redacted-')));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  const redact = createRedactor({ values: [value, lines, invisible] });
  const tools = createReadTools({ clock: { now: () => 0 }, redact }, { workspace, answerLength });
  return async (name: string, input: object) => {
    const tool = tools.find((candidate) => candidate.name === name);
    return tool!.run({ ...input }, { signal: new AbortController().signal, id: '1' });
  };
}

/** The longest beginning or end of a secret that a text holds. */
function toldOf(secret: string, text: string): number {
  for (let length = secret.length; length > 0; length -= 1) {
    if (text.includes(secret.slice(0, length)) || text.includes(secret.slice(-length))) return length;
  }
  return 0;
}

test('wherever a line is cut, no part of a secret is told', async () => {
  const secret = fc.constantFrom(value, token);
  const before = fc.integer({ min: 200, max: 400 });
  await fc.assert(
    fc.asyncProperty(secret, before, async (hidden, length) => {
      const around = [`MARK${' '.repeat(length)}`, `${' '.repeat(length)}TAIL${' '.repeat(400)}`];
      const run = makeReader({ 'a.txt': around.join(hidden) }, 320);
      for (const [name, input] of [
        ['grep', { pattern: 'MARK' }],
        ['grep', { pattern: 'TAIL' }],
        ['read_file', { path: 'a.txt' }],
      ] as const) {
        const { ok, content } = await run(name, input);
        expect(ok, content).toBe(true);
        expect(toldOf(hidden, content), content).toBeLessThan(4);
      }
    }),
    { numRuns: 60 },
  );
});

test('of a private key, nothing is told, whichever line is asked for', async () => {
  const run = makeReader({ 'key.pem': `before\n${key}\nafter\n` });
  for (const [name, input] of [
    ['read_file', { path: 'key.pem' }],
    ['read_file', { path: 'key.pem', start_line: 2 }],
    ['read_file', { path: 'key.pem', start_line: 3, end_line: 3 }],
    ['grep', { pattern: 'MII' }],
    ['grep', { pattern: '.', regex: true }],
  ] as const) {
    const { content } = await run(name, input);
    expect(keyLines.filter((line) => content.includes(line))).toEqual([]);
  }
  expect((await run('grep', { pattern: 'after' })).content.split('\n')).toEqual([
    expect.stringContaining('“after” in 1 files:'),
    'key.pem:3: after',
  ]);
  expect((await run('read_file', { path: 'key.pem', start_line: 2 })).content.split('\n').slice(1)).toEqual([
    '[redacted:private-key]',
    'after',
    '',
  ]);
});

test('a value of several lines and one with invisible characters are found', async () => {
  const run = makeReader({ 'a.txt': `A=${lines}\nB=${invisible}\n` });
  const shown = ['A=[redacted:value]', 'B=[redacted:value]'];
  expect((await run('read_file', { path: 'a.txt' })).content.split('\n').slice(1, 3)).toEqual(shown);
  expect((await run('grep', { pattern: '=' })).content.split('\n').slice(1)).toEqual([
    `a.txt:1: ${shown[0]}`,
    `a.txt:2: ${shown[1]}`,
  ]);
});

test('a pattern does not find out what a secret is made of', async () => {
  const run = makeReader({ '.env': `API_TOKEN=${value}\n` });
  for (const pattern of ['TOKEN=Z', 'VALUE', value]) {
    expect((await run('grep', { pattern })).output, pattern).toMatchObject({ matches: 0 });
  }
  expect((await run('grep', { pattern: '^API_TOKEN=[A-Z]', regex: true })).output).toMatchObject({ matches: 0 });
  expect((await run('grep', { pattern: 'TOKEN=' })).content).toContain('.env:1: API_TOKEN=[redacted:value]');
});

test('what is said of a file is said of what is told of it', async () => {
  const run = makeReader({ 'a.txt': value, 'same.txt': '[redacted:value]', 'plain.txt': 'ü\uFEFF' });
  const [secret, same, plain] = await Promise.all(
    ['a.txt', 'same.txt', 'plain.txt'].map(async (path) => (await run('read_file', { path })).output),
  );
  // The digest of a short secret would tell it to whoever tries them all.
  expect(secret).toEqual({ ...same, path: 'a.txt' });
  expect(plain).toMatchObject({ size: 5 });
});

test('secrets in names are taken out, and what is no text is described as it is', async () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
  const run = makeReader({ [`${invisible}/a.txt`]: 'needle', 'a.png': png });
  expect((await run('list_dir', { depth: 2 })).content.split('\n').slice(1)).toEqual([
    'a.png (9 bytes)',
    '[redacted:value]/',
    '[redacted:value]/a.txt (6 bytes)',
  ]);
  expect((await run('grep', { pattern: 'needle' })).content).toContain('[redacted:value]/a.txt:1: needle');
  expect((await run('read_file', { path: 'a.png' })).content).toContain('a PNG image of 9 bytes');
});
