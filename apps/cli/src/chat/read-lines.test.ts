import { Readable } from 'node:stream';
import { SkillsError } from '@skillpack/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLines } from './read-lines.js';

const { signal } = new AbortController();

async function linesOf(chunks: readonly (string | Uint8Array)[], longest?: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of readLines(Readable.from(chunks), { signal, longest })) lines.push(line);
  return lines;
}

test.each([
  ['', []],
  ['one', ['one']],
  ['one\n', ['one']],
  ['one\r\n\ntwo', ['one', '', 'two']],
  ['\uFEFFone', ['one']],
])('%j has the lines %j', async (text, lines) => {
  expect(await linesOf([text])).toEqual(lines);
});

test('it does not matter how the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 5 }), async (texts, size) => {
      const plain = texts.map((text) => text.replaceAll(/[\r\n\uFEFF]/gu, ''));
      const bytes = Buffer.from(plain.map((text) => `${text}\n`).join(''));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      expect(await linesOf(chunks)).toEqual(plain);
    }),
    { numRuns: 50 },
  );
});

test('a line that never ends is refused before it fills the memory', async () => {
  let given = 0;
  function* endless(): Generator<string> {
    for (;;) {
      given += 1;
      yield 'x'.repeat(1000);
    }
  }
  const lines = readLines(Readable.from(endless()), { signal, longest: 10_000 });
  await expect(lines.next()).rejects.toSatisfy((error) => SkillsError.is(error, 'FILE_TOO_LARGE'));
  expect(given).toBeLessThan(40);
});

test('an abort ends the lines, though the stream says nothing more', async () => {
  const controller = new AbortController();
  const silent = new Readable({ read: () => undefined });
  silent.push('one\nbegun');
  const lines: string[] = [];
  for await (const line of readLines(silent, { signal: controller.signal })) {
    lines.push(line);
    controller.abort();
  }
  expect(lines).toEqual(['one']);
});
