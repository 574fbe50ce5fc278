import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { hostileNames, skillText } from './hostile-archive.js';
import { hostileTars } from './hostile-tars.js';
import { hostileZips } from './hostile-zips.js';
import { oddArchives } from './odd-archives.js';
import { gnuLong, pax, tar, type TarPart } from './tar-builder.js';
import { extraField, uint64, unicodePath, zip, type ZipEnd, type ZipPart } from './zip-builder.js';

// What can be changed in a file of a few kilobytes is what a reader has to stand; large ones say no more.
const maxSeed = 8 * 1024;

function small(archives: readonly { readonly bytes: () => Buffer; readonly limits?: unknown }[]): Buffer[] {
  return archives
    .filter(({ limits }) => limits === undefined)
    .filter(({ bytes }) => !/MiB|5_001|10_001/u.test(bytes.toString()))
    .map(({ bytes }) => bytes())
    .filter(({ length }) => length < maxSeed);
}

interface ByteEdit {
  readonly at: number;
  readonly kind: 'set' | 'insert' | 'remove' | 'copy' | 'cut';
  readonly bytes: Uint8Array;
  readonly from: number;
}

const byteEdit: fc.Arbitrary<ByteEdit> = fc.record({
  at: fc.nat(maxSeed),
  kind: fc.constantFrom('set', 'set', 'insert', 'remove', 'copy', 'cut'),
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
});

function applyEdits(seed: Buffer, edits: readonly ByteEdit[]): Buffer {
  let bytes = Buffer.from(seed);
  for (const { at, kind, bytes: other, from } of edits) {
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

function edited(bytes: fc.Arbitrary<Buffer>, least: number, most: number): fc.Arbitrary<Buffer> {
  return fc
    .tuple(bytes, fc.array(byteEdit, { minLength: least, maxLength: most }))
    .map(([seed, edits]) => applyEdits(seed, edits));
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

const skill: TarPart & ZipPart = { name: 'pdf/SKILL.md', data: skillText };
const name = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom('pdf/a', 'pdf/b', 'pdf/c/d', 'pdf/c/', 'pdf/é', 'pdf/._a', './pdf/a', 'x/y', 'pdf/A'),
  },
  { weight: 1, arbitrary: fc.constantFrom(...hostileNames.map((hostile) => hostile.name)) },
  { weight: 1, arbitrary: fc.constantFrom('pdf', 'pdf/', '.', './', '', 'pdf/SKILL.md', `pdf/${'x'.repeat(120)}`) },
);
const data = fc.oneof(
  fc.constantFrom('', 'a', 'evil evil evil', 'x'.repeat(511), 'x'.repeat(512), 'x'.repeat(513), '\u0000'.repeat(1_500)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
);
/** `usual` most of the time, so that an archive is not refused for one of the other fields. */
function mostly<Usual, Unusual>(
  usual: fc.Arbitrary<Usual>,
  unusual: fc.Arbitrary<Unusual>,
  weight = 15,
): fc.Arbitrary<Usual | Unusual> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: unusual });
}

const binarySize = (first: number, last: number) => Buffer.from([first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]);
const mode = mostly(fc.constantFrom(0o644, 0o755, 0o100755), fc.nat(0o177777));

const tarFile: fc.Arbitrary<TarPart> = fc
  .record(
    {
      name: mostly(
        name,
        fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
        30,
      ),
      data,
      type: mostly(fc.constantFrom('0', '0', '\u0000', '5'), fc.constantFrom(...'1234567SMVDXNA '), 20),
      mode,
      size: mostly(
        fc.constant(undefined),
        fc.oneof(fc.nat(2_000), fc.constantFrom(binarySize(0x80, 1), binarySize(0xff, 0), Buffer.from('     1 '))),
      ),
      dialect: fc.constantFrom('ustar', 'ustar', 'gnu', 'v7'),
      prefix: mostly(fc.constant(''), fc.constantFrom('pdf', 'pdf/deep', '..', '/etc')),
      linkName: mostly(fc.constant(''), fc.constantFrom('/etc/passwd', 'pdf/SKILL.md')),
      checksum: mostly(fc.constant('unsigned'), fc.constantFrom('signed', 'wrong'), 40),
    },
    { requiredKeys: ['name', 'type'] },
  )
  .map(({ size, ...part }): TarPart => {
    const folder = part.type === '5';
    return { ...part, ...(size === undefined ? {} : { size }), ...(folder ? { data: '' } : {}) };
  });

const paxKey = fc.constantFrom('path', 'size', 'mtime', 'comment', 'linkpath', 'GNU.sparse.name', 'hdrcharset', 'uid');
const tarExtension: fc.Arbitrary<TarPart> = fc.oneof(
  fc
    .tuple(
      fc.dictionary(paxKey, fc.oneof(name, fc.constantFrom('0', '1', '13', '-1', '1.5', 'BINARY')), { maxKeys: 2 }),
      fc.constantFrom('x', 'x', 'g'),
    )
    .map(([records, type]) => pax(records, type)),
  fc.tuple(fc.constantFrom('L', 'L', 'K'), name).map(([type, text]) => gnuLong(type, text)),
);

const rawTar: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 6, arbitrary: tarFile }, { weight: 1, arbitrary: tarExtension }), { maxLength: 5 }),
    fc.nat(5),
    mostly(fc.constant(0), fc.constantFrom(512, 1_024, 10_240, 100)),
  )
  .map(([parts, at, padding]) => {
    const all = [...parts.slice(0, at), skill, ...parts.slice(at)];
    return Buffer.concat([tar(...all), Buffer.alloc(padding)]);
  });

/** Gzipped in one member or in several, cut anywhere. */
function gzipped(bytes: Buffer, cuts: readonly number[]): Buffer {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
  return Buffer.concat(parts.map((part) => gzipSync(part, { level: 1 })));
}

/** A `.tgz`, honest, odd, hostile or damaged. */
export const anyTgz: fc.Arbitrary<Buffer> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.oneof(rawTar, edited(rawTar, 1, 3).map(withChecksums)),
        mostly(fc.constant([]), fc.array(fc.nat(), { maxLength: 3 }), 4),
      )
      .map(([bytes, cuts]) => gzipped(bytes, cuts)),
  },
  { weight: 2, arbitrary: edited(fc.constantFrom(...small(hostileTars), ...small(oddArchives.tgz)), 1, 6) },
  {
    weight: 1,
    arbitrary: edited(
      rawTar.map((bytes) => gzipSync(bytes)),
      1,
      3,
    ),
  },
  { weight: 1, arbitrary: behind(Buffer.from([0x1f, 0x8b, 8, 0])) },
);

function behind(magic: Buffer): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ maxLength: 400 }).map((rest) => Buffer.concat([magic, rest]));
}

const short = fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 1, 8, 0x0800, 0xffff));
const wide = fc.oneof(fc.nat(0xffffffff), fc.nat(200), fc.constantFrom(0, 0xffffffff));
const lies = fc.record(
  { flags: short, method: short, crc: wide, compressedSize: wide, size: wide },
  { requiredKeys: [] },
);
const extra = fc.oneof(
  fc.constantFrom(
    Buffer.alloc(0),
    Buffer.alloc(3),
    extraField(0x5455, Buffer.from([3, 0, 0, 0, 0])),
    extraField(1, uint64(1)),
    unicodePath('pdf/a', 'pdf/a'),
    unicodePath('pdf/a', '../evil'),
  ),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
);

const zipEntry: fc.Arbitrary<ZipPart> = fc.record(
  {
    name: mostly(
      name,
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      30,
    ),
    data,
    method: mostly(fc.constantFrom(0, 8), short, 30),
    flags: mostly(fc.constantFrom(0, 0x0800, 0x0802), short, 30),
    host: fc.constantFrom(0, 3, 3, 19),
    mode,
    dosAttributes: mostly(fc.constantFrom(0, 0x20), fc.constant(0x10)),
    extra: mostly(fc.constant(Buffer.alloc(0)), extra, 8),
    descriptor: fc.constantFrom('signed', 'unsigned', 'wide', 'wide-unsigned'),
    local: mostly(fc.constant({}), lies, 20),
    central: mostly(fc.constant({}), lies, 20),
    before: mostly(fc.constant(Buffer.alloc(0)), fc.constant(Buffer.from('PK\u0003\u0004gap')), 30),
    recordOnly: mostly(fc.constant(false), fc.constant(true), 60),
    localOnly: mostly(fc.constant(false), fc.constant(true), 60),
  },
  { requiredKeys: ['name'] },
);

const zipEnd: fc.Arbitrary<ZipEnd> = mostly(
  fc.constant({}),
  fc.record(
    {
      comment: fc.constantFrom<(string | Buffer)[]>('words', zip([])),
      beforeDirectory: fc.constant(Buffer.from('x')),
      count: short,
      disk: fc.constantFrom(0, 1),
      size: wide,
      start: wide,
      zip64: fc.constantFrom({}, { count: 1 }, { disks: 2 }, { start: 0 }),
    },
    { requiredKeys: [] },
  ),
  4,
);

const builtZip = fc
  .tuple(fc.array(zipEntry, { maxLength: 4 }), fc.nat(4), zipEnd)
  .map(([parts, at, end]) => zip([...parts.slice(0, at), skill, ...parts.slice(at)], end));

/** A `.zip`, honest, odd, hostile or damaged. */
export const anyZip: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 5, arbitrary: builtZip },
  { weight: 2, arbitrary: edited(builtZip, 1, 3) },
  { weight: 2, arbitrary: edited(fc.constantFrom(...small(hostileZips), ...small(oddArchives.zip)), 1, 6) },
  { weight: 1, arbitrary: fc.oneof(behind(Buffer.from('PK\u0003\u0004')), behind(Buffer.from('PK\u0005\u0006'))) },
  { weight: 1, arbitrary: behind(Buffer.alloc(0)) },
);
