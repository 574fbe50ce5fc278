import { expect, test } from 'vitest';
import { lineBatches } from './line-batches.js';

const batch = 64 * 1024;

test.each<[string, string]>([
  ['nothing', ''],
  ['one line', 'a'],
  ['a last line without a break', 'a\nb'],
  ['a line break where a batch ends', `${'x'.repeat(batch)}\nb\n`],
  ['the two characters of one where a batch ends', `${'x'.repeat(batch - 1)}\r\nb`],
  ['the two characters of one just before', `${'x'.repeat(batch - 2)}\r\nb`],
  ['the two characters of one just behind', `${'x'.repeat(batch)}\r\nb`],
  ['a line break, and another line break, where a batch ends', `${'x'.repeat(batch - 1)}\n\rb`],
  ['a line that is longer than a batch', `a\n${'x'.repeat(3 * batch)}\nb`],
  ['line breaks alone', '\n'.repeat(2 * batch + 3)],
])('a text with %s has the lines that it has, each once, and their numbers', (_, text) => {
  const batches = [...lineBatches(text)];
  expect(batches.flatMap(({ lines }) => lines)).toEqual(text.split(/\r\n|\n|\r/u));
  let before = 0;
  for (const { before: said, lines } of batches) {
    expect(said).toBe(before);
    before += lines.length;
  }
});
