import { createRedactor, SkillsError } from '@skillpack/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editText } from './edit-text.js';
import { showText, sourceOf } from './shown-text.js';
import { compareLines, lineAt, linesOf } from './text-lines.js';

const secrets = ['Zq8-VALUE-9x7w6v5u4t3s', 'first-line-Ab12\nsecond-line-Cd34'];
const redact = createRedactor({ values: secrets });
const unit = fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '\r', ...secrets, '[redacted:value]', 'Zq8', 'line');
const text = fc.array(unit, { maxLength: 30 }).map((units) => units.join(''));

describe('what is told of a text', () => {
  test('each stretch of it stands in the text itself, one after another, and beside the secrets', () => {
    fc.assert(
      fc.property(text, (source) => {
        const shown = showText(source, redact);
        expect(shown.text).toBe(redact(source));
        let from = 0;
        for (const { start, length, source: at } of shown.parts) {
          expect(source.slice(at, at + length)).toBe(shown.text.slice(start, start + length));
          expect(at).toBeGreaterThanOrEqual(from);
          expect(sourceOf(shown, start, start + length)).toBe(at);
          from = at + length;
        }
      }),
    );
  });

  test('what lies in no stretch, or in two, lies nowhere', () => {
    const shown = showText(`a ${secrets[0]} b`, redact);
    expect(shown.text).toBe('a [redacted:value] b');
    expect([sourceOf(shown, 0, 2), sourceOf(shown, 18, 20)]).toEqual([0, 24]);
    for (const [start, end] of [
      [0, 3],
      [2, 5],
      [17, 19],
      [0, 20],
    ] as const) {
      expect(sourceOf(shown, start, end)).toBeUndefined();
    }
  });
});

describe('lines that changed', () => {
  test('what is before and behind them is the same, and the first and the last are not', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
    fc.assert(
      fc.property(lines, lines, fc.boolean(), (left, right, ended) => {
        const [before, after] = [left, right].map((all) => all.join('\n') + (ended && all.length > 0 ? '\n' : ''));
        const changes = compareLines(before ?? '', after ?? '');
        if (before === after) {
          expect(changes).toBeUndefined();
          return;
        }
        const { first, removed, added } = changes!;
        const [old, now] = [before, after].map((all) => all?.match(/[^\n]*\n|[^\n]+$/gu) ?? []);
        expect(old?.slice(0, first - 1)).toEqual(now?.slice(0, first - 1));
        expect(old?.slice(first - 1 + removed)).toEqual(now?.slice(first - 1 + added));
        expect(old?.[first - 1] === now?.[first - 1]).toBe(false);
      }),
    );
  });

  test('a line break that is another is a change of its line, and one at the end is no line', () => {
    expect(compareLines('a\nb\n', 'a\r\nb\n')).toEqual({ first: 1, removed: 1, added: 1 });
    expect(compareLines('a', 'a\n')).toEqual({ first: 1, removed: 1, added: 1 });
    expect([linesOf(''), linesOf('a\n'), linesOf('a\r\n\rb')]).toEqual([[], ['a'], ['a', '', 'b']]);
    expect([lineAt('a\r\nb\rc', 0), lineAt('a\r\nb\rc', 3), lineAt('a\r\nb\rc', 5)]).toEqual([1, 2, 3]);
  });
});

// None of these takes a time that grows with the square of the text: some would take hours.
describe('texts that were made to take long', () => {
  const code = (work: () => unknown): string => {
    try {
      work();
      return 'done';
    } catch (error) {
      return SkillsError.is(error) ? error.code : String(error);
    }
  };
  const edit =
    (source: string, oldText: string, all = false) =>
    () =>
      editText({ path: 'a', source, fileBytes: 16 * 1024 * 1024 }, redact, { oldText, newText: 'x\n', all });

  test.each([
    ['many empty lines', '\n'.repeat(200_000), `${'\n'.repeat(100_000)}x`, 'TEXT_NOT_FOUND'],
    ['one long line', 'ab'.repeat(2_000_000), `${'ab'.repeat(10_000)}c`, 'TEXT_NOT_FOUND'],
    [
      'many lines that are nearly alike',
      `${'abcdefghij'.repeat(10)}\n`.repeat(50_000),
      'abcdefghij'.repeat(50),
      'TEXT_NOT_FOUND',
    ],
    ['many places', 'a'.repeat(4_000_000), 'a', 'TEXT_NOT_FOUND'],
    ['many secrets', `${secrets[0]}\n`.repeat(50_000), 'zzz', 'TEXT_NOT_FOUND'],
    ['many marks', `[redacted:value]b${'a'.repeat(50)}`.repeat(50_000) + secrets[0], 'zzz', 'TEXT_NOT_FOUND'],
  ])('%s', (_, source, oldText, expected) => {
    expect(code(edit(source, oldText))).toBe(expected);
  });

  test('many changes among many secrets', () => {
    expect(code(edit(`q\n${secrets[0]}\n`.repeat(2_000), 'q', true))).toBe('done');
    expect(code(edit(`q\n${secrets[0]}\n`.repeat(9_000), 'q', true))).toBe('FILE_PROTECTED');
    expect(code(edit(`q\n${secrets[0]}\n`.repeat(20_000), 'q', true))).toBe('TEXT_NOT_FOUND');
    expect(code(edit('q'.repeat(9_000) + 'r'.repeat(4_000_000), 'q', true))).toBe('done');
  });
});
