import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { skillText } from './hostile-archive.js';
import { gnuLong, pax, tar, tarEnd, tarEntry, tgz, type TarPart } from './tar-builder.js';
import { extraField, uint64, unicodePath, zip, type ZipPart } from './zip-builder.js';

/** An archive that is odd, and honest. */
export interface OddArchive {
  /** In words, unique. */
  readonly oddity: string;
  readonly bytes: () => Buffer;
  /** The paths that come out besides pdf/SKILL.md, with their text. */
  readonly files: Readonly<Record<string, string>>;
  readonly executable?: readonly string[];
  readonly ignored?: readonly string[];
}

const skill: TarPart & ZipPart = { name: 'pdf/SKILL.md', data: skillText };
const long = `pdf/${'long/'.repeat(30)}name.txt`;

const tars: readonly OddArchive[] = [
  {
    oddity: './ in front',
    bytes: () => tgz({ name: './', type: '5' }, { ...skill, name: './pdf/SKILL.md' }),
    files: {},
  },
  { oddity: 'the root as “.”', bytes: () => tgz({ name: '.', type: '5' }, skill), files: {} },
  { oddity: 'empty folders', bytes: () => tgz(skill, { name: 'pdf/empty/', type: '5' }), files: {} },
  {
    oddity: 'a folder listed twice',
    bytes: () => tgz({ name: 'pdf/', type: '5' }, skill, { name: 'pdf/', type: '5' }, { name: 'pdf', type: '5' }),
    files: {},
  },
  {
    oddity: 'a folder by its slash alone (v7)',
    bytes: () => tgz({ name: 'pdf/', type: '\u0000', dialect: 'v7' }, skill),
    files: {},
  },
  {
    oddity: 'v7 headers',
    bytes: () =>
      tgz({ ...skill, dialect: 'v7', type: '\u0000' }, { name: 'pdf/a', type: '\u0000', dialect: 'v7', data: 'a' }),
    files: { 'pdf/a': 'a' },
  },
  { oddity: 'GNU headers', bytes: () => tgz({ ...skill, dialect: 'gnu' }), files: {} },
  {
    oddity: 'a signed checksum',
    bytes: () => tgz(skill, { name: 'pdf/\u00E9', data: 'a', checksum: 'signed' }),
    files: { 'pdf/\u00E9': 'a' },
  },
  {
    oddity: 'a GNU long name',
    bytes: () => tgz(skill, gnuLong('L', long), { name: long.slice(0, 100), data: 'a' }),
    files: { [long]: 'a' },
  },
  {
    oddity: 'a PAX long name',
    bytes: () => tgz(skill, pax({ path: long }), { name: 'x', data: 'a' }),
    files: { [long]: 'a' },
  },
  {
    oddity: 'a name cut within a letter, the whole one in PAX',
    bytes: () => tgz(skill, pax({ path: 'pdf/\u00E9' }), { name: Buffer.from([0x70, 0xc3]), data: 'a' }),
    files: { 'pdf/\u00E9': 'a' },
  },
  {
    oddity: 'a ustar prefix',
    bytes: () => tgz(skill, { name: 'name.txt', prefix: 'pdf/deep', data: 'a' }),
    files: { 'pdf/deep/name.txt': 'a' },
  },
  {
    oddity: 'times of star behind the prefix',
    bytes: () =>
      tgz(skill, {
        name: 'name.txt',
        prefix: 'pdf/deep',
        data: 'a',
        patch: (header) => header.write('14444444444 14444444444 ', 476),
      }),
    files: { 'pdf/deep/name.txt': 'a' },
  },
  {
    oddity: 'a PAX size that agrees',
    bytes: () => tgz(skill, pax({ size: '1' }), { name: 'pdf/a', data: 'a' }),
    files: { 'pdf/a': 'a' },
  },
  {
    oddity: 'macOS attributes in PAX',
    bytes: () =>
      tgz(
        pax({
          'LIBARCHIVE.xattr.com.apple.quarantine': 'MDA4',
          'SCHILY.xattr.com.apple.x': 'y',
          mtime: '1.5',
          atime: '-3',
        }),
        skill,
      ),
    files: {},
  },
  {
    oddity: 'a global comment, as git archive writes',
    bytes: () => tgz(pax({ comment: 'a'.repeat(40) }, 'g'), skill),
    files: {},
  },
  {
    oddity: 'a binary size',
    bytes: () => tgz(skill, { name: 'pdf/a', data: 'a', size: Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]) }),
    files: { 'pdf/a': 'a' },
  },
  {
    oddity: 'a size of twelve digits',
    bytes: () => tgz(skill, { name: 'pdf/a', data: 'a', size: Buffer.from('000000000001') }),
    files: { 'pdf/a': 'a' },
  },
  {
    oddity: 'a tar as a file, not compressed',
    bytes: () => gzipSync(tar(skill, { name: 'pdf/a.tar', data: tar({ name: 'inner', data: 'a' }) }), { level: 0 }),
    files: { 'pdf/a.tar': tar({ name: 'inner', data: 'a' }).toString('latin1') },
  },
  {
    oddity: 'a time before 1970 in binary',
    bytes: () => tgz(skill, { name: 'pdf/a', patch: (header) => header.fill(0xff, 136, 148) }),
    files: { 'pdf/a': '' },
  },
  {
    oddity: 'numbers padded with spaces',
    bytes: () =>
      tgz(skill, { name: 'pdf/a', data: 'a', size: Buffer.from('          1 '), mode: Buffer.from('   644 \u0000') }),
    files: { 'pdf/a': 'a' },
  },
  {
    oddity: 'the type in the mode',
    bytes: () => tgz(skill, { name: 'pdf/a', data: 'a', mode: 0o100755 }),
    files: { 'pdf/a': 'a' },
    executable: ['pdf/a'],
  },
  {
    oddity: 'executable for others alone',
    bytes: () => tgz(skill, { name: 'pdf/a', data: 'a', mode: 0o601 }),
    files: { 'pdf/a': 'a' },
    executable: ['pdf/a'],
  },
  { oddity: 'a mode of 0', bytes: () => tgz({ ...skill, mode: 0 }), files: {} },
  {
    oddity: 'padding to a record of 1 MiB',
    bytes: () => gzipSync(Buffer.concat([tar(skill), Buffer.alloc(1024 * 1024 - 2048)])),
    files: {},
  },
  {
    oddity: 'several gzip members, one of them empty',
    bytes: () => {
      const whole = tar(skill, { name: 'pdf/a', data: 'a' });
      return Buffer.concat(
        [whole.subarray(0, 700), Buffer.alloc(0), whole.subarray(700)].map((part) => gzipSync(part)),
      );
    },
    files: { 'pdf/a': 'a' },
  },
  {
    oddity: 'a gzip header with name, comment, extra field and checksum',
    bytes: () => Buffer.concat([fullGzipHeader(), gzipSync(tar(skill)).subarray(10)]),
    files: {},
  },
  { oddity: 'no compression', bytes: () => gzipSync(tar(skill), { level: 0 }), files: {} },
  {
    oddity: 'other bytes than zeros between a file and the next block',
    bytes: () => gzipSync(Buffer.concat([tarEntry(skill).fill(7, 512 + skillText.length), tarEnd])),
    files: {},
  },
  {
    oddity: 'AppleDouble files and .DS_Store',
    bytes: () =>
      tgz(
        { name: '._pdf', data: 'x' },
        { name: 'pdf/._SKILL.md', data: 'x' },
        { name: 'pdf/.DS_Store', data: 'x' },
        skill,
      ),
    files: {},
    ignored: ['._pdf', 'pdf/._SKILL.md', 'pdf/.DS_Store'],
  },
];

const zips: readonly OddArchive[] = [
  { oddity: 'no compression', bytes: () => zip([{ ...skill, method: 0 }]), files: {} },
  ...(['signed', 'unsigned', 'wide', 'wide-unsigned'] as const).map((descriptor) => ({
    oddity: `a data descriptor: ${descriptor}`,
    bytes: () =>
      zip([
        { ...skill, descriptor },
        { name: 'pdf/a', data: 'a', descriptor },
      ]),
    files: { 'pdf/a': 'a' },
  })),
  {
    oddity: 'a descriptor beside sizes that are known',
    bytes: () =>
      zip([
        skill,
        { name: 'pdf/a', data: 'a', method: 0, descriptor: 'signed', local: { size: 1, compressedSize: 1 } },
      ]),
    files: { 'pdf/a': 'a' },
  },
  {
    oddity: 'a zip as a file, not compressed',
    bytes: () => zip([skill, { name: 'pdf/a.zip', data: zip([{ name: 'inner', data: 'a' }]), method: 0 }]),
    files: { 'pdf/a.zip': zip([{ name: 'inner', data: 'a' }]).toString('latin1') },
  },
  { oddity: 'zip64 at the end', bytes: () => zip([skill], { zip64: {} }), files: {} },
  { oddity: 'zip64 at the end without need', bytes: () => zip([skill], { zip64: {}, count: 1 }), files: {} },
  { oddity: 'zip64 sizes', bytes: () => zip([{ ...skill, ...zip64Sizes(skillText) }]), files: {} },
  { oddity: 'a comment', bytes: () => zip([skill], { comment: 'a'.repeat(40) }), files: {} },
  {
    oddity: 'UTF-8 names without the flag, as Finder writes',
    bytes: () => zip([skill, { name: 'pdf/\u00FCber', data: 'a', flags: 0 }]),
    files: { 'pdf/\u00FCber': 'a' },
  },
  {
    oddity: 'UTF-8 names with the flag',
    bytes: () => zip([skill, { name: 'pdf/\u65E5\u672C', data: 'a' }]),
    files: { 'pdf/\u65E5\u672C': 'a' },
  },
  {
    oddity: 'a Unicode path that agrees',
    bytes: () =>
      zip([skill, { name: 'pdf/\u00FC', data: 'a', flags: 0, extra: unicodePath('pdf/\u00FC', 'pdf/\u00FC') }]),
    files: { 'pdf/\u00FC': 'a' },
  },
  {
    oddity: 'a name in a code page with a Unicode path',
    bytes: () => {
      const name = Buffer.from('pdf/\u0081', 'latin1');
      return zip([skill, { name, data: 'a', flags: 0, extra: unicodePath(name, 'pdf/\u00FC') }]);
    },
    files: { 'pdf/\u00FC': 'a' },
  },
  { oddity: 'folders', bytes: () => zip([{ name: 'pdf/' }, skill, { name: 'pdf/empty/' }]), files: {} },
  { oddity: 'a folder listed twice', bytes: () => zip([{ name: 'pdf/' }, skill, { name: 'pdf/' }]), files: {} },
  { oddity: 'a folder that is deflated', bytes: () => zip([{ name: 'pdf/', method: 8 }, skill]), files: {} },
  { oddity: './ in front', bytes: () => zip([{ ...skill, name: './pdf/SKILL.md' }]), files: {} },
  {
    oddity: 'Windows: no modes, attributes of DOS',
    bytes: () =>
      zip([
        { name: 'pdf/', host: 0, mode: 0, dosAttributes: 0x10 },
        { ...skill, host: 0, mode: 0, dosAttributes: 0x20 },
      ]),
    files: {},
  },
  { oddity: 'Windows: modes that mean nothing', bytes: () => zip([{ ...skill, host: 0, mode: 0o100777 }]), files: {} },
  {
    oddity: 'macOS as the system',
    bytes: () =>
      zip([
        { ...skill, host: 19 },
        { name: 'pdf/a', data: 'a', host: 19, mode: 0o100755 },
      ]),
    files: { 'pdf/a': 'a' },
    executable: ['pdf/a'],
  },
  { oddity: 'a mode without a type', bytes: () => zip([{ ...skill, mode: 0o600 }]), files: {} },
  {
    oddity: 'times and owners in extra fields',
    bytes: () => zip([{ ...skill, extra: extraField(0x5455, Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0])) }]),
    files: {},
  },
  {
    oddity: 'an extra field filled up with zeros',
    bytes: () => zip([{ ...skill, extra: Buffer.alloc(3) }]),
    files: {},
  },
  {
    oddity: 'an extra field in the local header alone',
    bytes: () => zip([{ ...skill, local: { extra: extraField(0xcafe, Buffer.alloc(0)) } }]),
    files: {},
  },
  {
    oddity: 'the level of compression in the flags',
    bytes: () => zip([{ ...skill, local: { flags: 0x0802 } }]),
    files: {},
  },
  {
    oddity: 'records in another order than the entries',
    bytes: () =>
      zip([
        skill,
        { name: 'pdf/a', data: 'a', localOnly: true },
        { name: 'pdf/b', data: 'b' },
        { name: 'pdf/a', data: 'a', recordOnly: true, central: { offset: 30 + 12 + compressedLength() } },
      ]),
    files: { 'pdf/a': 'a', 'pdf/b': 'b' },
  },
  {
    oddity: 'Finder: __MACOSX and .DS_Store',
    bytes: () =>
      zip([
        skill,
        { name: '__MACOSX/' },
        { name: '__MACOSX/pdf/._SKILL.md', data: 'x' },
        { name: 'pdf/.DS_Store', data: 'x' },
      ]),
    files: {},
    ignored: ['__MACOSX/pdf/._SKILL.md', 'pdf/.DS_Store'],
  },
];

/** Archives that are odd, and honest. */
export const oddArchives = { tgz: tars, zip: zips } as const;

function fullGzipHeader(): Buffer {
  const header = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 0x1e, 1, 2, 3, 4, 2, 255, 3, 0]),
    Buffer.from('abcpdf.tar\u0000a comment\u0000', 'latin1'),
  ]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc32(header) & 0xffff);
  return Buffer.concat([header, sum]);
}

function compressedLength(): number {
  return deflateRawSync(skillText).length;
}

function zip64Sizes(data: string): Partial<ZipPart> {
  const sizes = Buffer.concat([uint64(data.length), uint64(compressedLength())]);
  const fields = { size: 0xffffffff, compressedSize: 0xffffffff, extra: extraField(1, sizes) };
  return { local: fields, central: fields };
}
