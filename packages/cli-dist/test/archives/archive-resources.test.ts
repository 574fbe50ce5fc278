import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleForChild } from './bundle-for-child.js';
import { deflateTrap } from './deflate-trap.js';
import { skillText } from './hostile-archive.js';
import { hostileTars } from './hostile-tars.js';
import { hostileZips } from './hostile-zips.js';
import type { Measurement } from './measure-open.js';
import { oddArchives } from './odd-archives.js';
import { gnuLong, pax, tar, tgz, type TarPart } from './tar-builder.js';
import { zip, type ZipPart } from './zip-builder.js';

const MiB = 1024 * 1024;
const skill: TarPart & ZipPart = { name: 'pdf/SKILL.md', data: skillText };
let folder: string;
let bundle: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillpack-'));
  bundle = await bundleForChild('measure-open.ts', folder);
});

afterAll(() => rm(folder, { recursive: true }));

async function measure(archives: readonly Buffer[]): Promise<Measurement[]> {
  const paths = archives.map((_, index) => join(folder, `archive-${index}`));
  for (const [index, bytes] of archives.entries()) await writeFile(paths[index] ?? '', bytes);
  const script = `require(${JSON.stringify(bundle)})
    .measureEach(${JSON.stringify(paths)})
    .then((measured) => console.log(JSON.stringify(measured)));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '-e', script]);
  // What measureEach returned, by way of JSON.
  return JSON.parse(stdout) as Measurement[];
}

const logLine = '2026-11-21T22:28:00.000Z INFO request finished status=200 duration=12ms\n';

function log(size: number): Buffer {
  return Buffer.alloc(size, logLine);
}

/** Bytes that do not compress, the same every time. */
function noise(size: number): Buffer {
  const words = new Uint32Array(size / 4);
  let state = 0x9e3779b9;
  for (let index = 0; index < words.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return Buffer.from(words.buffer);
}

/** A whole and correct archive: blocks that hold nothing behind content that is much larger than it is packed. */
function mixedTgz(size: number): Buffer {
  const content = tar(skill, { name: 'pdf/zeros', data: Buffer.alloc(40 * MiB) });
  const packed = deflateRawSync(content, { finishFlush: constants.Z_FULL_FLUSH });
  const member = gzipMember(Buffer.concat([packed, deflateTrap(size)]), content.length);
  member.writeUInt32LE(crc32(content), member.length - 8);
  return member;
}

function gzipMember(raw: Buffer, size: number): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(size, 4);
  return Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), raw, trailer]);
}

interface Case {
  readonly what: string;
  readonly outcome: string;
  readonly bytes: () => Buffer;
  /** In MiB. @default 300 */
  readonly maxRss?: number;
}

const cases: readonly Case[] = [
  {
    what: 'a tgz bomb of one file',
    outcome: 'file-too-large',
    bytes: () => tgz(skill, { data: Buffer.alloc(256 * MiB) }),
  },
  {
    what: 'a tgz bomb of many files',
    outcome: 'unpacked-too-large',
    bytes: () => tgz(skill, ...logs(5, 49.9 * MiB)),
  },
  {
    what: 'a zip bomb of many files',
    outcome: 'unpacked-too-large',
    bytes: () => zip([skill, ...logs(5, 49.9 * MiB)]),
  },
  {
    what: '200 MiB of honest logs in a tgz',
    outcome: 'accepted',
    maxRss: 120,
    bytes: () => tgz(skill, ...logs(4, 49.9 * MiB)),
  },
  { what: '200 MiB of honest logs in a zip', outcome: 'accepted', bytes: () => zip([skill, ...logs(4, 49.9 * MiB)]) },
  {
    what: '60 MiB that do not compress in a tgz',
    outcome: 'accepted',
    bytes: () => tgz(skill, ...noises(3, 20 * MiB)),
  },
  {
    what: '60 MiB that do not compress in a zip',
    outcome: 'accepted',
    bytes: () => zip([skill, ...noises(3, 20 * MiB)]),
  },
  { what: '4,999 small files in a tgz', outcome: 'accepted', bytes: () => tgz(skill, ...smallFiles(4_999)) },
  { what: '4,999 small files in a zip', outcome: 'accepted', bytes: () => zip([skill, ...smallFiles(4_999)]) },
  {
    what: '4,999 files of 40 KiB in a zip',
    outcome: 'accepted',
    bytes: () => zip([skill, ...smallFiles(4_999, 40 * 1024)]),
  },
  {
    what: '64 MiB of zeros behind a tar',
    outcome: 'trailing-data',
    bytes: () => gzipSync(Buffer.concat([tar(skill), Buffer.alloc(64 * MiB)])),
  },
  {
    what: '200 MiB of zeros behind a tar',
    outcome: 'trailing-data',
    bytes: () => gzipSync(Buffer.concat([tar(skill), Buffer.alloc(200 * MiB)])),
  },
  {
    what: '4,999 deep names, every folder another',
    outcome: 'accepted',
    bytes: () =>
      tgz(skill, ...Array.from({ length: 2_400 }, (_, index) => [gnuLong('L', deepName(index)), { name: 'x' }]).flat()),
  },
  {
    what: 'PAX headers of 1 MiB, one after another',
    outcome: 'bad-header',
    bytes: () => tgz(skill, ...Array.from({ length: 20 }, () => pax({ comment: 'x'.repeat(1_000_000) }, 'g'))),
  },
  {
    what: '60 MiB of deflate blocks without content in a tgz',
    outcome: 'bad-compression',
    bytes: () => gzipMember(deflateTrap(60 * MiB), 0xffffffff),
  },
  {
    what: '15 MiB of deflate blocks without content in a tgz',
    outcome: 'size-mismatch',
    bytes: () => gzipMember(deflateTrap(15 * MiB), 1),
  },
  {
    what: '60 MiB of deflate blocks without content in a zip',
    outcome: 'bad-compression',
    bytes: () => zip([skill, { name: 'pdf/trap', method: 8, raw: deflateTrap(60 * MiB) }]),
  },
  {
    what: '62 MiB of deflate blocks without content behind 40 MiB that shrink well in a tgz',
    outcome: 'bad-compression',
    bytes: () => mixedTgz(62 * MiB),
  },
  {
    what: '10,000 gzip members',
    outcome: 'trailing-data',
    bytes: () =>
      Buffer.concat([gzipSync(tar(skill)), ...Array.from({ length: 9_999 }, () => gzipSync('x', { level: 0 }))]),
  },
  {
    what: '60 MiB of zip end records',
    outcome: 'truncated',
    bytes: () =>
      Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), Buffer.alloc(60 * MiB, 'PK\u0005\u0006', 'latin1')]),
  },
];

test.for(cases.map((one) => [one.what, one] as const))(
  'PSA-32: is decided in less than 5 s and 300 MiB: %s',
  { timeout: 60_000 },
  async ([, { outcome, bytes, maxRss = 300 }]) => {
    const archive = bytes();
    expect(archive.length).toBeLessThanOrEqual(64 * MiB);
    const [measured] = await measure([archive]);
    expect(measured?.outcome).toBe(outcome);
    expect(measured?.milliseconds).toBeLessThan(5_000);
    expect(measured?.maxRss).toBeLessThan(maxRss);
  },
);

const others = {
  'hostile .tgz': hostileTars.filter(({ limits }) => limits === undefined),
  'hostile .zip': hostileZips.filter(({ limits }) => limits === undefined),
  'odd .tgz': oddArchives.tgz,
  'odd .zip': oddArchives.zip,
} as const;

test.for(Object.entries(others))(
  'PSA-32: so is every %s',
  { timeout: 120_000 },
  async ([, archives]: readonly [string, readonly { readonly bytes: () => Buffer; readonly reason?: string }[]]) => {
    const measured = await measure(archives.map(({ bytes }) => bytes()));
    expect(measured.map(({ outcome }) => outcome)).toEqual(archives.map(({ reason = 'accepted' }) => reason));
    expect(Math.max(...measured.map(({ milliseconds }) => milliseconds))).toBeLessThan(5_000);
    expect(Math.max(...measured.map(({ maxRss }) => maxRss))).toBeLessThan(300);
    expect(Math.min(...measured.map(({ maxRss }) => maxRss))).toBeGreaterThan(10);
  },
);

function logs(count: number, size: number): (TarPart & ZipPart)[] {
  return Array.from({ length: count }, (_, index) => ({ name: `pdf/${index}.log`, data: log(Math.floor(size)) }));
}

function noises(count: number, size: number): (TarPart & ZipPart)[] {
  return Array.from({ length: count }, (_, index) => ({ name: `pdf/${index}.bin`, data: noise(size) }));
}

function smallFiles(count: number, size = 400): (TarPart & ZipPart)[] {
  return Array.from({ length: count }, (_, index) => ({ name: `pdf/d${index % 100}/f${index}`, data: log(size) }));
}

function deepName(index: number): string {
  return `pdf/${`${index}\u0130\uFB03/`.repeat(29)}x`;
}
