import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTarHeader, tarBlock } from './tar-header.js';

const empty = ' '.repeat(8);

/** A header of the oldest kind with a mode, and a sum that fits: of unsigned bytes, or of signed ones. */
function headerOf(mode: string, { name = 'a', signed = false } = {}): Buffer {
  const block = Buffer.alloc(tarBlock);
  block.write(name, 0, 'latin1');
  block.write(mode, 100, 8, 'latin1');
  block.write(empty, 148, 'latin1');
  const sum = block.reduce((total, byte) => total + (signed && byte > 127 ? byte - 256 : byte), 0);
  block.write(sum.toString(8).padStart(6, '0').concat('\0 '), 148, 'latin1');
  return block;
}

test('a number is spaces, octal digits, then spaces and zeros; anything else is refused', () => {
  const part = (characters: string, most: number) =>
    fc.string({ unit: fc.constantFrom(...characters), maxLength: most });
  const field = fc
    .tuple(part(' ', 3), part('01234567', 8), part(' \0', 3), part('8/ 1\0', 1))
    .map((parts) => parts.join('').slice(0, 8).padEnd(8, '\0'));
  let read = 0;
  fc.assert(
    fc.property(field, (text) => {
      // eslint-disable-next-line no-control-regex -- zeros end a number
      const digits = /^ *([0-7]*)[ \u0000]*$/u.exec(text)?.[1];
      if (digits === undefined) {
        expect(() => readTarHeader(headerOf(text))).toThrow('where a number belongs');
      } else {
        read += 1;
        expect(readTarHeader(headerOf(text)).mode).toBe(digits === '' ? 0 : Number.parseInt(digits, 8));
      }
    }),
    { numRuns: 2_000 },
  );
  expect(read).toBeGreaterThan(100);
});

test('the sum of a header is one of unsigned bytes, or of signed ones', () => {
  const name = '\u00E9\u00FF';
  expect(readTarHeader(headerOf('644', { name })).mode).toBe(0o644);
  expect(readTarHeader(headerOf('644', { name, signed: true })).mode).toBe(0o644);
  const wrong = headerOf('644', { name });
  wrong[0] = 0x61;
  expect(() => readTarHeader(wrong)).toThrow('has the sum');
});
