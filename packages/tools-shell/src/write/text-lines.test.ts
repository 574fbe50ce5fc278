import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareLines, countLines, lineAt, linesOf } from './text-lines.js';

const text = fc
  .array(fc.constantFrom('a', 'b', '\n', '\r', '\r\n', 'ab\n'), { maxLength: 12 })
  .map((parts) => parts.join(''));

/** Each line with its line break. */
function wholeLinesOf(whole: string): readonly string[] {
  return whole.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/gu) ?? [];
}

test('lines are counted as they are told apart', () => {
  fc.assert(
    fc.property(text, fc.nat(24), (whole, place) => {
      expect(countLines(whole)).toBe(linesOf(whole).length);
      expect(linesOf(whole, place)).toEqual(linesOf(whole).slice(0, place));
      expect(lineAt(whole, place)).toBe(
        whole
          .slice(0, place)
          .replace(/\r$/u, whole[place] === '\n' ? '' : '\r')
          .split(/\r\n|\n|\r/u).length,
      );
    }),
    { numRuns: 2_000 },
  );
});

test('what is told of two texts is from the first line that is another one to the last one', () => {
  fc.assert(
    fc.property(text, text, text, text, (begin, left, right, end) => {
      const [before, after] = [begin + left + end, begin + right + end];
      const [old, now] = [before, after].map(wholeLinesOf) as [readonly string[], readonly string[]];
      const most = Math.min(old.length, now.length);
      let start = 0;
      while (start < most && old[start] === now[start]) start += 1;
      let alike = 0;
      while (alike < most - start && old.at(-1 - alike) === now.at(-1 - alike)) alike += 1;
      const expected = { first: start + 1, removed: old.length - start - alike, added: now.length - start - alike };
      expect(compareLines(before, after)).toEqual(before === after ? undefined : expected);
    }),
    { numRuns: 5_000 },
  );
});
