import { gzipSync } from 'node:zlib';
import { hostileNames, skillText, type HostileArchive } from './hostile-archive.js';
import { gnuLong, pax, paxRecord, tar, tarEnd, tarEntry, tgz, type TarPart } from './tar-builder.js';

const skill: TarPart = { name: 'pdf/SKILL.md', data: skillText };
const honest = tar(skill);
const MiB = 1024 * 1024;

function withPart(trick: string, reason: HostileArchive['reason'], part: TarPart): HostileArchive {
  return { trick, reason, bytes: () => tgz(skill, part) };
}

function withParts(
  trick: string,
  reason: HostileArchive['reason'],
  parts: readonly (TarPart | Buffer)[],
): HostileArchive {
  return { trick, reason, bytes: () => tgz(skill, ...parts) };
}

const names: readonly HostileArchive[] = hostileNames.map(({ trick, reason, name }) =>
  withParts(`a PAX name: ${trick}`, reason, [pax({ path: name }), { name: 'x', data: 'evil' }]),
);

const shortNames: readonly HostileArchive[] = [
  withPart('a ustar name climbs out', 'path-traversal', { name: '../evil' }),
  withPart('a prefix climbs out', 'path-traversal', { name: 'evil', prefix: '..' }),
  withPart('a prefix is absolute', 'path-absolute', { name: 'evil', prefix: '/etc' }),
  withPart('a prefix in a v7 header', 'bad-header', { name: 'evil', prefix: 'pdf', dialect: 'v7' }),
  withPart('a prefix in a GNU header', 'bad-header', { name: 'evil', prefix: 'pdf', dialect: 'gnu' }),
  withPart('a name behind the end of a name', 'bad-header', { name: 'pdf/good\u0000\n/../evil' }),
  withPart('a prefix behind the end of no prefix', 'bad-header', {
    name: 'evil',
    patch: (header) => header.write('\n..', 346),
  }),
  withPart('a target of a link behind the end of none', 'bad-header', {
    patch: (header) => header.write('\n/etc/passwd', 158),
  }),
  withPart('an empty name', 'path-empty', { name: '' }),
  withPart('a name in Latin-1', 'path-not-unicode', { name: Buffer.from('pdf/\u00E9', 'latin1') }),
  withPart('an overlong encoding of a slash', 'path-not-unicode', { name: Buffer.from([0x70, 0xc0, 0xaf, 0x71]) }),
  withParts('a GNU long name climbs out', 'path-traversal', [gnuLong('L', `../${'x'.repeat(120)}`), { name: 'x' }]),
  withParts('a folder climbs out', 'path-traversal', [{ name: '../evil/', type: '5' }]),
  withParts('a folder over a file', 'file-as-folder', [{ name: 'pdf/SKILL.md/', type: '5' }]),
  withParts('a composed and a decomposed name', 'case-collision', [{ name: 'pdf/\u00E9' }, { name: 'pdf/e\u0301' }]),
  withParts('a sharp s and two', 'case-collision', [{ name: 'pdf/stra\u00DFe' }, { name: 'pdf/strasse' }]),
  withParts('a ligature and its letters', 'case-collision', [{ name: 'pdf/\uFB01le' }, { name: 'pdf/file' }]),
  withParts('a long name with a zero byte inside', 'path-control-character', [
    gnuLong('L', 'pdf/good\u0000/../../evil'),
    { name: 'x' },
  ]),
  withParts('a PAX name with a zero byte inside', 'path-control-character', [
    pax({ path: 'pdf/good\u0000evil' }),
    { name: 'x' },
  ]),
  withParts('a PAX name in another character set', 'path-not-unicode', [
    pax({ hdrcharset: 'BINARY', path: 'pdf/x' }),
    { name: 'x' },
  ]),
];

const kinds: readonly HostileArchive[] = [
  withPart('a symbolic link out', 'symbolic-link', { type: '2', linkName: '/etc/passwd' }),
  withPart('a symbolic link inside', 'symbolic-link', { type: '2', linkName: 'SKILL.md' }),
  withPart('a hard link out', 'hard-link', { type: '1', linkName: '/etc/passwd' }),
  withPart('a hard link inside', 'hard-link', { type: '1', linkName: 'pdf/SKILL.md' }),
  withPart('a hard link with data', 'hard-link', { type: '1', linkName: 'pdf/SKILL.md', data: 'evil' }),
  withParts('a link with a PAX target', 'symbolic-link', [pax({ linkpath: '../../evil' }), { type: '2' }]),
  withParts('a link with a long GNU target', 'symbolic-link', [gnuLong('K', 'x'.repeat(200)), { type: '2' }]),
  withPart('a character device', 'device', { type: '3' }),
  withPart('a block device', 'device', { type: '4' }),
  withPart('a FIFO', 'fifo', { type: '6' }),
  withPart('a contiguous file', 'unknown-entry-type', { type: '7' }),
  withPart('a Solaris header', 'unknown-entry-type', { type: 'X' }),
  withPart('a volume label', 'unknown-entry-type', { type: 'V', dialect: 'gnu' }),
  withPart('a directory dump', 'unknown-entry-type', { type: 'D', dialect: 'gnu' }),
  withPart('a type that nobody knows', 'unknown-entry-type', { type: '\u00A4' }),
  withPart('a continued file', 'multi-volume', { type: 'M', dialect: 'gnu' }),
  withPart('a GNU sparse file', 'sparse-file', { type: 'S', dialect: 'gnu' }),
  withParts('a PAX sparse file', 'sparse-file', [
    pax({ 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.realsize': '99999999' }),
    { name: 'pdf/s', data: '0\n' },
  ]),
  withParts('a PAX sparse file of version 0.0', 'sparse-file', [
    pax({ 'GNU.sparse.size': '99999999', 'GNU.sparse.numblocks': '1', 'GNU.sparse.offset': '0' }),
    { name: 'pdf/s', data: 'evil' },
  ]),
  withParts('a PAX sparse file of version 0.1', 'sparse-file', [
    pax({ 'GNU.sparse.name': '../evil', 'GNU.sparse.map': '0,4' }),
    { name: 'pdf/s', data: 'evil' },
  ]),
  withParts('a Solaris sparse file', 'sparse-file', [pax({ 'SUN.holesdata': ' 0 4' }), { name: 'pdf/s' }]),
  withParts('a PAX type unlike the header’s', 'unknown-entry-type', [
    pax({ 'SCHILY.filetype': 'hardlink' }),
    { name: 'pdf/s' },
  ]),
  withPart('a GNU dump of names', 'unknown-entry-type', { type: 'N', dialect: 'gnu' }),
  withPart('an inode alone', 'unknown-entry-type', { type: 'I' }),
  withParts('a star sparse file', 'sparse-file', [pax({ 'SCHILY.realsize': '99999999' }), { name: 'pdf/s' }]),
  withParts('a volume in PAX', 'multi-volume', [pax({ 'GNU.volume.filename': 'x' }, 'g')]),
  withPart('setuid', 'special-mode', { mode: 0o4755 }),
  withPart('setgid', 'special-mode', { mode: 0o2755 }),
  withPart('sticky', 'special-mode', { mode: 0o1644 }),
  withPart('a setgid folder', 'special-mode', { name: 'pdf/d/', type: '5', mode: 0o2755 }),
  withPart('a file with the mode of a link', 'symbolic-link', { mode: 0o120777 }),
  withPart('a file with the mode of a folder', 'bad-header', { mode: 0o040755 }),
  withPart('a folder with contents', 'bad-header', { name: 'pdf/d/', type: '5', data: 'x'.repeat(512) }),
  withParts('a folder by its long name alone', 'bad-header', [
    gnuLong('L', 'pdf/d/'),
    { name: 'pdf/d', type: '\u0000' },
  ]),
  withParts('a folder by its short name alone', 'bad-header', [
    pax({ path: 'pdf/d' }),
    { name: 'pdf/d/', type: '\u0000' },
  ]),
  withPart('a file named as a folder', 'bad-header', { name: 'pdf/d/' }),
];

const headers: readonly HostileArchive[] = [
  withPart('a wrong checksum', 'bad-checksum', { checksum: 'wrong' }),
  withPart('a size that is no number', 'bad-header', { size: Buffer.from('0000000xyz1\u0000') }),
  withPart('a size with a sign', 'bad-header', { size: Buffer.from('-0000000010\u0000') }),
  withPart('a size with digits after the end', 'bad-header', { size: Buffer.from('00000\u000000017') }),
  withPart('a negative binary size', 'bad-header', { size: Buffer.alloc(12, 0xff) }),
  withPart('a group below zero', 'bad-header', { patch: (header) => header.fill(0xff, 116, 124) }),
  withPart('an owner of more than 32 bits', 'bad-header', {
    patch: (header) => Buffer.from([0x80, 0, 0, 1, 0, 0, 0, 0]).copy(header, 108),
  }),
  withPart('a binary size beyond all', 'bad-header', {
    size: Buffer.concat([Buffer.from([0x80]), Buffer.alloc(11, 0xff)]),
  }),
  withPart('a time beyond all', 'bad-header', { patch: (header) => header.fill(0x80, 136, 148) }),
  withPart('a time beyond all behind a prefix', 'bad-header', { patch: (header) => header.fill(0x80, 476, 488) }),
  withPart('a size of a sparse file in a GNU header', 'bad-header', {
    dialect: 'gnu',
    data: 'evil',
    patch: (header) => header.write('00000000001', 483),
  }),
  withPart('a mode that is no number', 'bad-header', { mode: Buffer.from('rwxr-xr-') }),
  withPart('an owner that is no number', 'bad-header', { patch: (header) => header.write('rootroot', 108) }),
  withPart('a time that is no number', 'bad-header', { patch: (header) => header.write('yesterday!!!', 136) }),
  withPart('a device that is no number', 'bad-header', { patch: (header) => header.write('device', 329) }),
  withPart('a target of a link in the header of a file', 'bad-header', { linkName: 'pdf/SKILL.md' }),
  withPart('a format that nobody knows', 'bad-header', { patch: (header) => header.write('ustar\u000099', 257) }),
  withParts('a PAX size unlike the header’s', 'header-mismatch', [
    pax({ size: '0' }),
    { name: 'pdf/outer', data: tar({ name: 'pdf/hidden', data: 'evil' }) },
  ]),
  withParts('a PAX size beyond all', 'bad-header', [pax({ size: '99999999999999999999' }), { name: 'pdf/x' }]),
  withParts('a PAX size that is no number', 'bad-header', [pax({ size: '0x10' }), { name: 'pdf/x' }]),
  withParts('two names in one PAX header', 'bad-header', [
    pax(Buffer.concat([paxRecord('path', 'pdf/a'), paxRecord('path', 'pdf/b')])),
    { name: 'pdf/c' },
  ]),
  withParts('two PAX headers for one file', 'bad-header', [
    pax({ path: 'pdf/a' }),
    pax({ path: 'pdf/b' }),
    { name: 'c' },
  ]),
  withParts('two long names for one file', 'bad-header', [gnuLong('L', 'pdf/a'), gnuLong('L', 'pdf/b'), { name: 'c' }]),
  withParts('a PAX name and a GNU name', 'bad-header', [pax({ path: 'pdf/a' }), gnuLong('L', 'pdf/b'), { name: 'c' }]),
  withParts('a global PAX name', 'bad-header', [pax({ path: 'pdf/a' }, 'g'), { name: 'pdf/b' }]),
  withParts('a global PAX size', 'bad-header', [pax({ size: '0' }, 'g'), { name: 'pdf/b', data: 'x' }]),
  withParts('a PAX size before a GNU name', 'bad-header', [
    pax({ size: '4' }),
    gnuLong('L', 'pdf/a'),
    { data: 'evil' },
  ]),
  withParts('a GNU name before a PAX size', 'bad-header', [
    gnuLong('L', 'pdf/a'),
    pax({ size: '4' }),
    { data: 'evil' },
  ]),
  withParts('a PAX header before a GNU link', 'bad-header', [
    pax({ mtime: '1' }),
    gnuLong('K', 'x'),
    { name: 'pdf/a' },
  ]),
  withParts('a PAX size with a sign', 'bad-header', [pax({ size: '+4' }), { data: 'evil' }]),
  withParts('a PAX size that is empty', 'bad-header', [pax({ size: '' }), { data: 'evil' }]),
  withParts('a PAX name that is empty', 'path-empty', [pax({ path: '' }), { data: 'evil' }]),
  withParts('a PAX time that is no number', 'bad-header', [pax({ mtime: 'yesterday' }), { data: 'evil' }]),
  withParts('a PAX owner below zero', 'bad-header', [pax({ uid: '-1' }), { data: 'evil' }]),
  withParts('a global PAX time that is no number', 'bad-header', [pax({ mtime: '1e9' }, 'g'), { data: 'evil' }]),
  withParts('a PAX record with a length of 40 digits', 'bad-header', [
    pax(Buffer.from(`${'0'.repeat(38)}11 path=x\n`)),
    { data: 'evil' },
  ]),
  withParts('a PAX record without its line break', 'bad-header', [pax(Buffer.from('9 path=x')), { data: 'evil' }]),
  withParts('a GNU link that belongs to nothing', 'bad-header', [gnuLong('K', '/etc/passwd')]),
  withPart('a size with the digit 9', 'bad-header', { size: Buffer.from('00000000009\u0000') }),
  withPart('a version of ustar that is zero bytes', 'bad-header', {
    patch: (header) => header.write('ustar\u0000\u0000\u0000', 257),
  }),
  withParts('a PAX record that is too long', 'bad-header', [pax(Buffer.from('99 path=x\n')), { name: 'pdf/b' }]),
  withParts('a PAX record that is too short', 'bad-header', [pax(Buffer.from('5 path=pdf/x\n')), { name: 'pdf/b' }]),
  withParts('a PAX record without a length', 'bad-header', [pax(Buffer.from('path=pdf/x\n')), { name: 'pdf/b' }]),
  withParts('a PAX record without a key', 'bad-header', [pax(Buffer.from('6 =xy\n')), { name: 'pdf/b' }]),
  withParts('a PAX header that belongs to nothing', 'bad-header', [pax({ path: 'pdf/a' })]),
  withParts('a long name that belongs to nothing', 'bad-header', [gnuLong('L', 'pdf/a')]),
  withParts('a global header between a file and its own', 'bad-header', [
    pax({ path: 'pdf/a' }),
    pax({ comment: 'x' }, 'g'),
    { name: 'pdf/b' },
  ]),
  withParts('a global header that belongs to nothing', 'bad-header', [pax({ comment: 'x' }, 'g')]),
  withParts('a link target on a file', 'bad-header', [gnuLong('K', '/etc/passwd'), { name: 'pdf/b' }]),
  withParts('a PAX header of 2 MiB', 'bad-header', [pax({ comment: 'x'.repeat(2 * MiB) }), { name: 'pdf/b' }]),
];

const sizes: readonly HostileArchive[] = [
  { ...withPart('a file too large', 'file-too-large', { data: 'x'.repeat(2000) }), limits: { fileBytes: 1000 } },
  withPart('a file that says it is 8 GiB', 'file-too-large', {
    size: Buffer.concat([Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 2]), Buffer.alloc(4)]),
  }),
  {
    trick: 'a bomb of one file',
    reason: 'file-too-large',
    bytes: () => tgz(skill, { data: Buffer.alloc(51 * MiB) }),
  },
  {
    trick: 'a bomb of many files',
    reason: 'unpacked-too-large',
    bytes: () =>
      tgz(skill, ...Array.from({ length: 5 }, (_, index) => ({ name: `pdf/${index}`, data: Buffer.alloc(41 * MiB) }))),
  },
  {
    trick: 'too many files',
    reason: 'too-many-entries',
    bytes: () => tgz(...Array.from({ length: 5_001 }, (_, index) => ({ name: `pdf/${index}` }))),
  },
  {
    trick: 'too many folders of one name',
    reason: 'too-many-entries',
    bytes: () => tgz(skill, ...Array.from({ length: 5_001 }, () => ({ name: 'pdf/d/', type: '5' }))),
  },
  {
    trick: 'too many global headers',
    reason: 'too-many-entries',
    bytes: () => tgz(skill, ...Array.from({ length: 1_001 }, () => pax({ comment: 'x' }, 'g'))),
  },
  {
    trick: 'an archive too large',
    reason: 'archive-too-large',
    bytes: () => tgz(skill),
    limits: { archiveBytes: 100 },
  },
];

const containers: readonly HostileArchive[] = [
  { trick: 'no bytes', reason: 'empty-archive', bytes: () => Buffer.alloc(0) },
  { trick: 'no entries', reason: 'empty-archive', bytes: () => gzipSync(tarEnd) },
  { trick: 'folders alone', reason: 'empty-archive', bytes: () => tgz({ name: 'pdf/', type: '5' }) },
  { trick: 'a tar without gzip', reason: 'unknown-format', bytes: () => honest },
  { trick: 'text', reason: 'unknown-format', bytes: () => Buffer.from('<html>404</html>') },
  { trick: 'gzip of nothing', reason: 'truncated', bytes: () => gzipSync('') },
  { trick: 'gzip of text', reason: 'truncated', bytes: () => gzipSync('hello') },
  {
    trick: 'gzip of a zip',
    reason: 'bad-header',
    bytes: () => gzipSync(Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(600, 120)])),
  },
  { trick: 'cut within the gzip header', reason: 'truncated', bytes: () => gzipSync(honest).subarray(0, 7) },
  {
    trick: 'a gzip extra field beyond the end',
    reason: 'truncated',
    bytes: () => Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3, 0xff, 0xff, 1, 2]),
  },
  {
    trick: 'a gzip name without end',
    reason: 'truncated',
    bytes: () => Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.alloc(100, 'x')]),
  },
  { trick: 'cut within the data', reason: 'truncated', bytes: () => gzipSync(honest).subarray(0, 40) },
  { trick: 'cut within the checksum', reason: 'truncated', bytes: () => gzipSync(honest).subarray(0, -3) },
  { trick: 'cut within a file', reason: 'truncated', bytes: () => gzipSync(honest.subarray(0, 540)) },
  {
    trick: 'cut within a header',
    reason: 'truncated',
    bytes: () => gzipSync(Buffer.concat([tarEntry(skill), Buffer.alloc(100, 65)])),
  },
  { trick: 'no end', reason: 'truncated', bytes: () => gzipSync(tarEntry(skill)) },
  {
    trick: 'half an end',
    reason: 'truncated',
    bytes: () => gzipSync(Buffer.concat([tarEntry(skill), Buffer.alloc(512)])),
  },
  {
    trick: 'a file whose last block is not filled up',
    reason: 'truncated',
    bytes: () => gzipSync(Buffer.concat([tarEntry({ ...skill, padded: false }), tarEnd])),
  },
  {
    trick: 'data after the gzip',
    reason: 'trailing-data',
    bytes: () => Buffer.concat([gzipSync(honest), Buffer.from('evil')]),
  },
  {
    trick: 'a zero after the gzip',
    reason: 'trailing-data',
    bytes: () => Buffer.concat([gzipSync(honest), Buffer.alloc(1)]),
  },
  {
    trick: 'data after the tar',
    reason: 'trailing-data',
    bytes: () => gzipSync(Buffer.concat([honest, Buffer.from('evil')])),
  },
  {
    trick: 'a second tar after the first',
    reason: 'trailing-data',
    bytes: () => gzipSync(Buffer.concat([honest, tar({ name: '../evil' })])),
  },
  {
    trick: 'a second gzip member after the tar',
    reason: 'trailing-data',
    bytes: () => Buffer.concat([gzipSync(honest), gzipSync(tar({ name: '../evil' }))]),
  },
  {
    trick: 'a file behind one block of zeros',
    reason: 'trailing-data',
    bytes: () => tgz(skill, Buffer.alloc(512), { name: 'pdf/hidden' }),
  },
  {
    trick: '64 MiB of zeros behind the end',
    reason: 'trailing-data',
    bytes: () => gzipSync(Buffer.concat([honest, Buffer.alloc(64 * MiB)])),
  },
  {
    trick: 'a wrong CRC',
    reason: 'bad-checksum',
    bytes: () => patched(gzipSync(honest), (bytes) => bytes.writeUInt32LE(1, bytes.length - 8)),
  },
  {
    trick: 'a wrong length',
    reason: 'size-mismatch',
    bytes: () => patched(gzipSync(honest), (bytes) => bytes.writeUInt32LE(77, bytes.length - 4)),
  },
  {
    trick: 'damaged data',
    reason: 'bad-compression',
    bytes: () => patched(gzipSync(honest), (bytes) => bytes.fill(0xff, 10, 20)),
  },
  {
    trick: 'another method than deflate',
    reason: 'unsupported-method',
    bytes: () => patched(gzipSync(honest), (bytes) => bytes.writeUInt8(7, 2)),
  },
  {
    trick: 'reserved gzip flags',
    reason: 'bad-header',
    bytes: () => patched(gzipSync(honest), (bytes) => bytes.writeUInt8(0x80, 3)),
  },
  {
    trick: 'a gzip header with a wrong checksum of its own',
    reason: 'bad-checksum',
    bytes: () =>
      Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 2, 0, 0, 0, 0, 0, 3, 1, 2]), gzipSync(honest).subarray(10)]),
  },
  {
    trick: 'more gzip members than any program makes',
    reason: 'bad-header',
    bytes: () => Buffer.concat([...Array<Buffer>(10_001).fill(gzipSync('', { level: 0 })), gzipSync(honest)]),
  },
  { trick: 'empty blocks without end', reason: 'bad-compression', bytes: emptyBlocks },
];

const contents: readonly HostileArchive[] = [
  { trick: 'no SKILL.md', reason: 'missing-skill-file', bytes: () => tgz({ name: 'pdf/README.md', data: 'x' }) },
  {
    trick: 'only a skill.md',
    reason: 'missing-skill-file',
    bytes: () => tgz({ name: 'pdf/skill.md', data: skillText }),
  },
  {
    trick: 'a SKILL.md too deep',
    reason: 'missing-skill-file',
    bytes: () => tgz({ name: 'a/b/c/SKILL.md', data: skillText }),
  },
  {
    trick: 'a manifest that is not JSON',
    reason: 'invalid-manifest',
    bytes: () => tgz({ name: 'manifest.json', data: '{' }, skill),
  },
  {
    trick: 'a manifest that is not UTF-8',
    reason: 'invalid-manifest',
    bytes: () => tgz({ name: 'manifest.json', data: Buffer.from([0xff]) }, skill),
  },
  {
    trick: 'a manifest of 5 MiB',
    reason: 'invalid-manifest',
    bytes: () => tgz({ name: 'manifest.json', data: ' '.repeat(5 * MiB) }, skill),
  },
];

/** Tar archives with one trick each. */
export const hostileTars: readonly HostileArchive[] = [
  ...names,
  ...shortNames,
  ...kinds,
  ...headers,
  ...sizes,
  ...containers,
  ...contents,
];

function patched(bytes: Buffer, patch: (bytes: Buffer) => void): Buffer {
  patch(bytes);
  return bytes;
}

/** 40 MiB of stored deflate blocks that hold nothing. */
function emptyBlocks(): Buffer {
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  return Buffer.concat([header, Buffer.alloc(40 * MiB, Buffer.from([0, 0, 0, 0xff, 0xff]))]);
}
