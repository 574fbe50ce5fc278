import { deflateRawSync } from 'node:zlib';
import { hostileNames, skillText, type HostileArchive } from './hostile-archive.js';
import { extraField, uint64, unicodePath, zip, type ZipEnd, type ZipPart } from './zip-builder.js';

const skill: ZipPart = { name: 'pdf/SKILL.md', data: skillText };
const MiB = 1024 * 1024;

function withPart(trick: string, reason: HostileArchive['reason'], part: Partial<ZipPart>): HostileArchive {
  return { trick, reason, bytes: () => zip([skill, { name: 'pdf/file', data: 'evil evil evil', ...part }]) };
}

function withEnd(trick: string, reason: HostileArchive['reason'], end: ZipEnd): HostileArchive {
  return { trick, reason, bytes: () => zip([skill], end) };
}

function edited(trick: string, reason: HostileArchive['reason'], edit: (bytes: Buffer) => Buffer): HostileArchive {
  return { trick, reason, bytes: () => edit(zip([skill])) };
}

const names: readonly HostileArchive[] = [
  ...hostileNames.map(({ trick, reason, name }) => withPart(`a name: ${trick}`, reason, { name })),
  withPart('a zero byte in a name', 'path-control-character', { name: 'pdf/good\u0000/../../evil' }),
  withPart('an empty name', 'path-empty', { name: '' }),
  withPart('a folder climbs out', 'path-traversal', { name: '../evil/', data: '' }),
  withPart('a folder over a file', 'file-as-folder', { name: 'pdf/SKILL.md/', data: '' }),
  withPart('a name in a code page', 'path-not-unicode', { name: Buffer.from('pdf/\u0082', 'latin1'), flags: 0 }),
  withPart('a name that only claims to be UTF-8', 'path-not-unicode', { name: Buffer.from('pdf/\u00E9', 'latin1') }),
  withPart('a Unicode path unlike the name', 'header-mismatch', {
    flags: 0,
    extra: unicodePath('pdf/file', '../../evil'),
  }),
  withPart('a Unicode path for another name', 'header-mismatch', { flags: 0, extra: unicodePath('other', 'pdf/file') }),
  withPart('a Unicode path of an unknown version', 'bad-header', {
    flags: 0,
    extra: extraField(0x7075, Buffer.from([9, 0, 0, 0, 0])),
  }),
  withPart('two Unicode paths', 'bad-header', {
    flags: 0,
    extra: Buffer.concat([unicodePath('pdf/file', 'pdf/file'), unicodePath('pdf/file', '../evil')]),
  }),
  withPart('a Unicode path in the local header alone', 'header-mismatch', {
    flags: 0,
    local: { extra: unicodePath('pdf/file', '../evil') },
  }),
];

const kinds: readonly HostileArchive[] = [
  withPart('a symbolic link', 'symbolic-link', { mode: 0o120777 }),
  withPart('a symbolic link from DOS', 'symbolic-link', { mode: 0o120777, host: 0 }),
  withPart('a character device', 'device', { mode: 0o020644 }),
  withPart('a block device', 'device', { mode: 0o060644 }),
  withPart('a FIFO', 'fifo', { mode: 0o010644 }),
  withPart('a socket', 'unknown-entry-type', { mode: 0o140644 }),
  withPart('setuid', 'special-mode', { mode: 0o104755 }),
  withPart('setgid', 'special-mode', { mode: 0o102755 }),
  withPart('sticky', 'special-mode', { mode: 0o101644 }),
  withPart('a file with the mode of a folder', 'bad-header', { mode: 0o040755 }),
  withPart('a file with the attribute of a folder', 'bad-header', { dosAttributes: 0x10 }),
  withPart('a folder with the mode of a file', 'bad-header', { name: 'pdf/d/', data: '', mode: 0o100644 }),
  withPart('a folder with contents', 'bad-header', { name: 'pdf/d/' }),
  withPart('encrypted', 'encrypted', { flags: 0x0801 }),
  withPart('strongly encrypted', 'encrypted', { flags: 0x0841 }),
  withPart('with masked headers', 'encrypted', { flags: 0x2800 }),
  withPart('AES', 'encrypted', { method: 99 }),
  withPart('a patch', 'unsupported-method', { flags: 0x0820 }),
  withPart('deflate64', 'unsupported-method', { method: 9 }),
  withPart('bzip2', 'unsupported-method', { method: 12 }),
  withPart('LZMA', 'unsupported-method', { method: 14 }),
  withPart('zstandard', 'unsupported-method', { method: 93 }),
  edited('a version of the format that nobody knows', 'unsupported-method', (bytes) => {
    bytes.writeUInt8(128, bytes.indexOf('PK\u0001\u0002', 0, 'latin1') + 6);
    return bytes;
  }),
];

const other = Buffer.from('../../evil');

const mismatches: readonly HostileArchive[] = [
  withPart('another name in the local header', 'header-mismatch', { local: { name: other } }),
  withPart('another method in the local header', 'header-mismatch', { local: { method: 0 } }),
  withPart('another size in the local header', 'header-mismatch', { local: { size: 3 } }),
  withPart('another compressed size in the local header', 'header-mismatch', { local: { compressedSize: 3 } }),
  withPart('another checksum in the local header', 'header-mismatch', { local: { crc: 3 } }),
  withPart('encrypted in the local header alone', 'header-mismatch', { local: { flags: 0x0801 } }),
  withPart('a descriptor in the local header alone', 'header-mismatch', { local: { flags: 0x0808 } }),
  withPart('a local zip64 size unlike the record’s', 'header-mismatch', {
    local: {
      size: 0xffffffff,
      compressedSize: 0xffffffff,
      extra: extraField(1, Buffer.concat([uint64(3), uint64(3)])),
    },
  }),
  withPart('a descriptor that contradicts', 'header-mismatch', { descriptor: Buffer.alloc(16, 1) }),
  withPart('a descriptor too long', 'hidden-data', { descriptor: Buffer.alloc(30) }),
  withPart('a descriptor that is missing', 'hidden-data', { descriptor: Buffer.alloc(0) }),
  {
    trick: 'no local header where one is promised',
    reason: 'header-mismatch',
    bytes: () => overwritten(zip([skill, { name: 'pdf/file', data: 'evil' }]), 'PK\u0003\u0004', 'XX'),
  },
  withPart('a wrong checksum', 'bad-checksum', { local: { crc: 3 }, central: { crc: 3 } }),
  withPart('a size too small', 'size-mismatch', { local: { size: 3 }, central: { size: 3 } }),
  withPart('a size too large', 'size-mismatch', { local: { size: 99 }, central: { size: 99 } }),
  withPart('stored with two sizes', 'size-mismatch', { method: 0, local: { size: 3 }, central: { size: 3 } }),
  withPart('data after the end of the compressed data', 'hidden-data', {
    raw: Buffer.concat([deflateRawSync('evil evil evil'), Buffer.from('more')]),
  }),
  withPart('data in the root folder', 'hidden-data', {
    name: './',
    data: '',
    method: 8,
    raw: Buffer.concat([deflateRawSync(''), Buffer.from('hidden')]),
  }),
  withPart('compressed data that break off', 'truncated', { raw: deflateRawSync('evil evil evil').subarray(0, 4) }),
  withPart('compressed data that are damaged', 'bad-compression', { raw: Buffer.alloc(12, 0xff) }),
  withPart('compressed data larger than what they hold', 'bad-compression', {
    data: '',
    method: 8,
    raw: Buffer.concat([Buffer.alloc(5 * 1000, Buffer.from([0, 0, 0, 0xff, 0xff])), Buffer.from([3, 0])]),
  }),
  withPart('a malformed extra field', 'bad-header', { extra: Buffer.from([1, 0, 200, 0, 1]) }),
  withPart('an extra field with bytes left over', 'bad-header', { extra: Buffer.from([9, 9, 9]) }),
  withPart('a zip64 field twice', 'bad-header', {
    extra: Buffer.concat([extraField(1, uint64(1)), extraField(1, uint64(2))]),
  }),
  withPart('zip64 sizes beside others', 'header-mismatch', {
    extra: extraField(1, Buffer.concat([uint64(3), uint64(3)])),
  }),
  withPart('zip64 sizes beside others in the local header alone', 'header-mismatch', {
    local: { extra: extraField(1, Buffer.concat([uint64(3), uint64(3)])) },
  }),
  withPart('a zip64 field with more than is asked for', 'header-mismatch', {
    central: { size: 0xffffffff, extra: extraField(1, Buffer.concat([uint64(14), uint64(3)])) },
  }),
  withPart('a size in a zip64 field that is missing', 'bad-header', { central: { size: 0xffffffff } }),
  withPart('a zip64 size beyond all', 'bad-header', {
    central: { size: 0xffffffff, extra: extraField(1, Buffer.alloc(8, 0xff)) },
  }),
];

const layouts: readonly HostileArchive[] = [
  withPart('bytes between two entries', 'hidden-data', { before: Buffer.from('hidden') }),
  withPart('an entry without a record', 'hidden-data', { localOnly: true }),
  withEnd('bytes before the directory', 'hidden-data', { beforeDirectory: Buffer.from('hidden') }),
  withEnd('bytes after the directory', 'hidden-data', { afterDirectory: Buffer.from('hidden') }),
  edited('a program in front', 'hidden-data', (bytes) => Buffer.concat([Buffer.from('#!/bin/sh\nexit\n'), bytes])),
  edited('an executable in front, offsets moved', 'hidden-data', () =>
    zip([{ ...skill, before: Buffer.from('MZ program') }]),
  ),
  edited('a gap at the beginning', 'hidden-data', () => zip([{ ...skill, before: Buffer.from('PK\u0003\u0004 gap') }])),
  edited('bytes after the end', 'trailing-data', (bytes) => Buffer.concat([bytes, Buffer.from('evil')])),
  edited('a second zip after the first', 'hidden-data', (bytes) => Buffer.concat([bytes, zip([skill])])),
  withEnd('an empty directory in the comment', 'hidden-data', { comment: zip([]) }),
  edited('two records for one entry', 'overlapping-entries', twoRecords),
  {
    trick: 'two names for the same data',
    reason: 'overlapping-entries',
    bytes: () => zip([skill, { ...skill, name: 'pdf/COPY.md', recordOnly: true, central: { offset: 0 } }]),
  },
  { trick: 'entries that overlap', reason: 'overlapping-entries', bytes: overlapping },
  withPart('an entry beyond the directory', 'overlapping-entries', { central: { offset: 100_000 } }),
  withPart('an entry within another', 'overlapping-entries', { central: { offset: 20 } }),
  {
    trick: 'data that reach into the directory',
    reason: 'overlapping-entries',
    bytes: () =>
      zip([
        { ...skill, method: 0, local: { compressedSize: 999, size: 999 }, central: { compressedSize: 999, size: 999 } },
      ]),
  },
  withEnd('more entries counted than there are', 'bad-header', { count: 2 }),
  withEnd('fewer entries counted than there are', 'bad-header', { count: 0 }),
  withEnd('a directory size too large', 'truncated', { size: 999 }),
  withEnd('a directory size too small', 'hidden-data', { size: 10 }),
  withEnd('a directory start beyond the end', 'truncated', { start: 100_000 }),
  withEnd('another disk', 'multi-volume', { disk: 1 }),
  withPart('an entry on another disk', 'multi-volume', { central: { disk: 3 } }),
  withEnd('zip64 with two disks', 'multi-volume', { zip64: { disks: 2 } }),
  withEnd('zip64 that counts otherwise', 'header-mismatch', { zip64: { count: 7 }, count: 1 }),
  withEnd('zip64 that starts elsewhere', 'hidden-data', { zip64: { start: 0 } }),
  withEnd('zip64 with more in it', 'bad-header', { zip64: { extra: Buffer.from('more') } }),
  {
    trick: 'zip64 that is not where it says',
    reason: 'bad-header',
    bytes: () =>
      overwritten(zip([skill], { zip64: {} }), 'PK\u0006\u0007', 'PK\u0006\u0007\u0000\u0000\u0000\u0000\u0009'),
  },
  edited('a spanned archive', 'multi-volume', (bytes) =>
    Buffer.concat([Buffer.from('PK\u0007\u0008', 'latin1'), bytes]),
  ),
  edited('cut before the directory', 'truncated', (bytes) => bytes.subarray(0, 60)),
  edited('cut within the end', 'truncated', (bytes) => bytes.subarray(0, -5)),
  {
    trick: 'cut within the comment',
    reason: 'truncated',
    bytes: () => zip([skill], { comment: 'a comment' }).subarray(0, -3),
  },
];

const sizes: readonly HostileArchive[] = [
  { ...withPart('a file too large', 'file-too-large', { data: 'x'.repeat(2000) }), limits: { fileBytes: 1000 } },
  withPart('a bomb of one file', 'file-too-large', { data: Buffer.alloc(51 * MiB) }),
  {
    trick: 'a bomb of many files',
    reason: 'unpacked-too-large',
    bytes: () =>
      zip([
        skill,
        ...Array.from({ length: 5 }, (_, index) => ({ name: `pdf/${index}`, data: Buffer.alloc(41 * MiB) })),
      ]),
  },
  withPart('a bomb that says it is small', 'size-mismatch', {
    data: Buffer.alloc(40 * MiB),
    local: { size: 5 * MiB },
    central: { size: 5 * MiB },
  }),
  withPart('a small bomb that says it is smaller', 'size-mismatch', {
    data: Buffer.alloc(MiB),
    local: { size: 10 },
    central: { size: 10 },
  }),
  {
    trick: 'too many files',
    reason: 'too-many-entries',
    bytes: () => zip(Array.from({ length: 20 }, (_, index) => ({ name: `pdf/${index}` }))),
    limits: { entries: 19 },
  },
  withEnd('a count of 65,535', 'too-many-entries', { count: 0xffff }),
  {
    trick: 'an archive too large',
    reason: 'archive-too-large',
    bytes: () => zip([skill]),
    limits: { archiveBytes: 100 },
  },
];

const contents: readonly HostileArchive[] = [
  { trick: 'no entries', reason: 'empty-archive', bytes: () => zip([]) },
  { trick: 'folders alone', reason: 'empty-archive', bytes: () => zip([{ name: 'pdf/' }]) },
  { trick: 'no SKILL.md', reason: 'missing-skill-file', bytes: () => zip([{ name: 'pdf/README.md', data: 'x' }]) },
  {
    trick: 'a manifest that is not JSON',
    reason: 'invalid-manifest',
    bytes: () => zip([{ name: 'manifest.json', data: '{' }, skill]),
  },
];

/** Zip archives with one trick each. */
export const hostileZips: readonly HostileArchive[] = [
  ...names,
  ...kinds,
  ...mismatches,
  ...layouts,
  ...sizes,
  ...contents,
];

/** The last occurrence of `from`, and what follows it, overwritten. */
function overwritten(bytes: Buffer, from: string, to: string): Buffer {
  bytes.write(to, bytes.lastIndexOf(from, undefined, 'latin1'), 'latin1');
  return bytes;
}

/** The directory written twice, and counted. */
function twoRecords(bytes: Buffer): Buffer {
  const start = bytes.indexOf('PK\u0001\u0002', 0, 'latin1');
  const end = bytes.length - 22;
  const records = bytes.subarray(start, end);
  const close = Buffer.from(bytes.subarray(end));
  close.writeUInt16LE(2, 8);
  close.writeUInt16LE(2, 10);
  close.writeUInt32LE(records.length * 2, 12);
  return Buffer.concat([bytes.subarray(0, end), records, close]);
}

/** One entry stored so that another whole entry lies in its data. */
function overlapping(): Buffer {
  const inner = zip([{ name: 'pdf/inner', data: 'evil', method: 0 }], {});
  const local = inner.subarray(0, inner.indexOf('PK\u0001\u0002', 0, 'latin1'));
  const outer: ZipPart = { name: 'pdf/outer', data: local, method: 0 };
  return zip([outer, { name: 'pdf/inner', data: 'evil', method: 0, recordOnly: true, central: { offset: 30 + 9 } }]);
}
