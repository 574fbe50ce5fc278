import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeySplitter, type TypedPiece } from './split-keys.js';

const paste = (text: string): string => `\u001B[200~${text}\u001B[201~`;

function splitAll(chunks: readonly string[]): readonly TypedPiece[] {
  const split = createKeySplitter();
  return chunks.flatMap((chunk) => split(chunk));
}

test('keys are keys, and what is pasted comes whole', () => {
  expect(splitAll([`ab${paste('one\r\ntwo\rthree')}c\r`])).toEqual([
    { kind: 'keys', text: 'ab' },
    { kind: 'paste', text: 'one\ntwo\nthree' },
    { kind: 'keys', text: 'c\r' },
  ]);
});

test('no key can be pasted', () => {
  expect(splitAll([paste('a\u0003b\u001B[Ac\u0004\u009Bd\u007F\te')])).toEqual([{ kind: 'paste', text: 'ab[Acd\te' }]);
});

test('keys that begin like a paste arrive at once where they cannot be one', () => {
  expect(splitAll(['\u001B'])).toEqual([{ kind: 'keys', text: '\u001B' }]);
  expect(splitAll(['\u001B[A'])).toEqual([{ kind: 'keys', text: '\u001B[A' }]);
  expect(splitAll(['\u001B[2', '~'])).toEqual([{ kind: 'keys', text: '\u001B[2~' }]);
});

test.each([1, 2, 3, 4, 5])(
  'a paste that is too long ends where it ends, also with its last mark cut after %i',
  (at) => {
    const most = 4 * 1024 * 1024;
    const end = '\u001B[201~';
    const text = 'a'.repeat(most - 3);
    const chunks = [
      '\u001B[200~',
      text,
      `${'\u001B[20'.repeat(100)}x`,
      `1~b${end.slice(0, at)}`,
      `${end.slice(at)}c\u0003`,
    ];
    const [pasted, ...typed] = splitAll(chunks);
    expect(pasted?.kind).toBe('paste');
    expect(pasted?.text.slice(0, most - 3)).toBe(text);
    expect(pasted?.text.length).toBeLessThanOrEqual(most);
    expect(typed).toEqual([{ kind: 'keys', text: 'c\u0003' }]);
  },
);

test('a paste is cut wherever it is cut, also within a line break and within the mark of its end', () => {
  const all = paste('one\r\ntwo\u001B[20x\u001B');
  for (let at = '\u001B[200~'.length; at <= all.length; at += 1) {
    for (let next = at; next <= all.length; next += 1) {
      const chunks = [all.slice(0, at), all.slice(at, next), all.slice(next), '\u0003'];
      const [pasted, ...typed] = splitAll(chunks);
      expect([pasted, typed], `${at}, ${next}`).toEqual([
        { kind: 'paste', text: 'one\ntwo[20x' },
        [{ kind: 'keys', text: '\u0003' }],
      ]);
    }
  }
});

test('it does not matter how it is cut, but after a single escape', () => {
  const plain = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\u001B', ''));
  const parts = fc.array(fc.oneof(plain, plain.map(paste)));
  fc.assert(
    fc.property(parts, fc.array(fc.nat(200)), (texts, cuts) => {
      const all = texts.join('');
      const places = [...new Set(cuts.filter((at) => at < all.length && all[at - 1] !== '\u001B'))].toSorted(
        (left, right) => left - right,
      );
      const chunks = [0, ...places].map((from, index) => all.slice(from, places[index]));
      expect(joined(splitAll(chunks))).toEqual(joined(splitAll([all])));
    }),
  );
});

/** Keys that follow one another are the same keys in one piece. */
function joined(pieces: readonly TypedPiece[]): readonly TypedPiece[] {
  const result: TypedPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.kind === 'keys' && last?.kind === 'keys') {
      result.splice(-1, 1, { kind: 'keys', text: last.text + piece.text });
    } else result.push(piece);
  }
  return result;
}
