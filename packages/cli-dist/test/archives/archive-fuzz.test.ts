import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SkillsError } from '@skillpack/core';
import { gzipSync } from 'node:zlib';
import { createArchiveReader } from '../../src/index.js';
import { skillText } from './hostile-archive.js';
import { hostileTars } from './hostile-tars.js';
import { hostileZips } from './hostile-zips.js';
import { oddArchives } from './odd-archives.js';
import { tarEntry, tar, tarEnd } from './tar-builder.js';
import { zip } from './zip-builder.js';

const reader = createArchiveReader();
// What can be changed in a file of a few kilobytes is what a reader has to stand; large ones say no more.
const maxSeed = 8 * 1024;
const runs = Number(process.env['FUZZ_RUNS'] ?? 1_500);

/** Opens bytes and reads what is in them; any answer but a refusal is a finding. */
async function judge(bytes: Buffer): Promise<void> {
  try {
    const opened = await reader.open(bytes);
    for await (const { file, chunks } of opened.contents()) {
      let size = 0;
      for await (const chunk of chunks) size += chunk.length;
      expect(size).toBe(file.size);
    }
  } catch (error) {
    if (SkillsError.is(error, 'ARCHIVE_REFUSED')) expect(error.data['reason']).toBeTypeOf('string');
    else if (!SkillsError.is(error, 'UNSUPPORTED_FORMAT')) throw error;
  }
}

function small(archives: readonly { readonly bytes: () => Buffer; readonly limits?: unknown }[]): Buffer[] {
  return archives
    .filter(({ limits }) => limits === undefined)
    .filter(({ bytes }) => !/MiB|5_001|10_001/u.test(bytes.toString()))
    .map(({ bytes }) => bytes())
    .filter(({ length }) => length < maxSeed);
}

interface Edit {
  readonly at: number;
  readonly kind: 'set' | 'insert' | 'remove' | 'copy' | 'cut';
  readonly bytes: Uint8Array;
  readonly from: number;
}

const edits = fc.array(
  fc.record({
    at: fc.nat(maxSeed),
    kind: fc.constantFrom(
      'set' as const,
      'set' as const,
      'insert' as const,
      'remove' as const,
      'copy' as const,
      'cut' as const,
    ),
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      fc.constantFrom(
        Buffer.alloc(4, 0xff),
        Buffer.alloc(4),
        Buffer.from('PK\u0003\u0004'),
        Buffer.from('PK\u0001\u0002'),
        Buffer.from('../'),
        Buffer.from([0x80]),
      ),
    ),
    from: fc.nat(maxSeed),
  }),
  { minLength: 1, maxLength: 6 },
);

function applyEdits(seed: Buffer, list: readonly Edit[]): Buffer {
  let bytes = Buffer.from(seed);
  for (const { at, kind, bytes: other, from } of list) {
    const start = at % (bytes.length + 1);
    const head = bytes.subarray(0, start);
    const source = from % (bytes.length + 1);
    const put = kind === 'copy' ? bytes.subarray(source, source + other.length * 64) : Buffer.from(other);
    if (kind === 'cut') bytes = Buffer.from(head);
    else if (kind === 'remove') bytes = Buffer.concat([head, bytes.subarray(start + put.length)]);
    else if (kind === 'insert') bytes = Buffer.concat([head, put, bytes.subarray(start)]);
    else bytes = Buffer.concat([head, put, bytes.subarray(start + put.length)]);
  }
  return bytes;
}

/** Makes the header checksums right again, so that an edit is seen by what lies behind them. */
function withChecksums(bytes: Buffer): Buffer {
  for (let at = 0; at + 512 <= bytes.length; at += 512) {
    const block = bytes.subarray(at, at + 512);
    if (!block.toString('latin1', 257, 262).startsWith('ustar')) continue;
    block.write('        ', 148, 'latin1');
    const sum = block.reduce((total, byte) => total + byte, 0);
    block.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'latin1');
  }
  return bytes;
}

const zipSeeds = [...small(hostileZips), ...small(oddArchives.zip)];
const gzipSeeds = [...small(hostileTars), ...small(oddArchives.tgz)];
const tarSeeds = [
  tar(
    { name: 'pdf/SKILL.md', data: skillText },
    { name: 'pdf/d/', type: '5' },
    { name: 'pdf/a', data: 'a'.repeat(700) },
  ),
  Buffer.concat([
    tarEntry({ name: 'x', type: 'x', data: '17 path=pdf/name\n' }),
    tarEntry({ name: 'pdf/SKILL.md' }),
    tarEnd,
  ]),
];

describe('PSA-32: whatever the bytes are, they are read or refused', () => {
  test.for([
    ['zip', zipSeeds],
    ['gzip', gzipSeeds],
  ] as const)('a changed %s', { timeout: 120_000 }, async ([, seeds]) => {
    expect(seeds.length).toBeGreaterThan(50);
    await fc.assert(
      fc.asyncProperty(fc.nat(seeds.length - 1), edits, async (index, list) => {
        await judge(applyEdits(seeds[index] ?? Buffer.alloc(0), list));
      }),
      { numRuns: runs },
    );
  });

  test('a changed tar, gzipped afterwards', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...tarSeeds), edits, async (seed, list) => {
        await judge(gzipSync(withChecksums(applyEdits(seed, list)), { level: 1 }));
      }),
      { numRuns: runs },
    );
  });

  test('any bytes behind a magic number', async () => {
    const magic = fc.constantFrom(
      Buffer.from([0x1f, 0x8b, 8, 0]),
      Buffer.from('PK\u0003\u0004'),
      Buffer.from('PK\u0005\u0006'),
      Buffer.alloc(0),
    );
    await fc.assert(
      fc.asyncProperty(magic, fc.uint8Array({ maxLength: 400 }), async (start, rest) => {
        await judge(Buffer.concat([start, rest]));
      }),
      { numRuns: runs },
    );
  });

  test('a field of a zip is what it likes', async () => {
    const field = fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 1, 0xffff));
    const wide = fc.oneof(fc.nat(0xffffffff), fc.nat(200), fc.constantFrom(0, 0xffffffff));
    const fields = fc.record(
      { flags: field, method: field, crc: wide, compressedSize: wide, size: wide },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fields, fields, wide, async (local, central, offset) => {
        await judge(
          zip([
            { name: 'pdf/SKILL.md', data: skillText, local, central },
            { name: 'pdf/b', data: 'b', central: { offset } },
          ]),
        );
      }),
      { numRuns: runs },
    );
  });
});
