import { constants, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { deflateSync } from 'fflate';
import { expect, test } from 'vitest';
import { deflateTrap } from '../../test/archives/deflate-trap.js';
import { bytesInMemory } from './archive-bytes.js';
import { hasLeanBlocks } from './lean-blocks.js';

const trap = deflateTrap(128 * 1024);

/** Content with a little of everything: words, runs, noise. */
function content(size: number): Buffer {
  const bytes = Buffer.alloc(size, 'words and words, more or less alike. ');
  let state = 1;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    if (at % 4_096 < 1_500) bytes[at] = state >>> 24;
    else if (at % 4_096 > 3_000) bytes[at] = 0;
  }
  return bytes;
}

test('PSA-32: blocks that only describe tables are found', () => {
  expect(hasLeanBlocks(bytesInMemory(trap))).toBe(true);
});

test.for([0, 1, 6, 9])('PSA-32: they are found behind honest data of level %i, and those alone are none', (level) => {
  const honest = content(3 * 1024 * 1024);
  expect(hasLeanBlocks(bytesInMemory(deflateRawSync(honest, { level })))).toBe(false);
  const open = deflateRawSync(honest, { level, finishFlush: constants.Z_FULL_FLUSH });
  expect(hasLeanBlocks(bytesInMemory(Buffer.concat([open, trap])))).toBe(true);
});

test.for([
  ['fixed tables', { strategy: constants.Z_FIXED }],
  ['Huffman codes alone', { strategy: constants.Z_HUFFMAN_ONLY }],
  ['runs alone', { strategy: constants.Z_RLE }],
  ['little memory, so many blocks', { memLevel: 1 }],
  ['a small window', { windowBits: 9 }],
] as const)('PSA-32: honest data are none: %s', ([, options]) => {
  const honest = content(2 * 1024 * 1024);
  expect(hasLeanBlocks(bytesInMemory(deflateRawSync(honest, options)))).toBe(false);
  const open = deflateRawSync(honest, { ...options, finishFlush: constants.Z_FULL_FLUSH });
  expect(hasLeanBlocks(bytesInMemory(Buffer.concat([open, trap])))).toBe(true);
});

test('PSA-32: nor are those of another compressor, of zeros, and of a writer that flushes every 200 bytes', () => {
  expect(hasLeanBlocks(bytesInMemory(Buffer.from(deflateSync(content(512 * 1024), { level: 9, mem: 8 }))))).toBe(false);
  expect(hasLeanBlocks(bytesInMemory(deflateRawSync(Buffer.alloc(20 * 1024 * 1024))))).toBe(false);
  const lines = content(200 * 1024);
  const flushed = Array.from({ length: lines.length / 200 }, (_, index) =>
    deflateRawSync(lines.subarray(index * 200, index * 200 + 200), { finishFlush: constants.Z_SYNC_FLUSH }),
  );
  expect(hasLeanBlocks(bytesInMemory(Buffer.concat(flushed)))).toBe(false);
});

test('PSA-32: empty blocks of the other kinds are found too', () => {
  expect(hasLeanBlocks(bytesInMemory(Buffer.alloc(100 * 1024, Buffer.from([0, 0, 0, 0xff, 0xff]))))).toBe(true);
  // A fixed block of ten bits, again and again.
  expect(hasLeanBlocks(bytesInMemory(Buffer.alloc(100 * 1024, Buffer.from([0x02, 0x08, 0x20, 0x80, 0x00]))))).toBe(
    true,
  );
});

test('PSA-32: whatever follows, the walk ends, and goes through all that inflates', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 8 }), fc.nat(9), (parts, level) => {
      const open = parts.map((part) => deflateRawSync(part, { level, finishFlush: constants.Z_SYNC_FLUSH }));
      expect(hasLeanBlocks(bytesInMemory(Buffer.concat([...open, trap])))).toBe(true);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      expect(hasLeanBlocks(bytesInMemory(Buffer.from(bytes)))).toBe(false);
    }),
  );
});
