import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import {
  defaultArchiveLimits,
  findPathConflict,
  judgePath,
  treeDigestOf,
  type ErrorCode,
  type OpenedArchive,
} from '@skillpack/core';
import { createArchiveReader } from '../../packages/cli-dist/src/archive/archive-reader.js';
import { sha256 } from '../../packages/cli-dist/src/archive/sha256.js';
import { anyTgz, anyZip } from '../../packages/cli-dist/test/archives/any-archive.js';
import { readWithNodeTar, readWithYauzl, type Tree } from '../../packages/cli-dist/test/archives/other-readers.js';
import { enclosingFolder } from './enclosing-folder.js';
import { fuzzTarget, judgeRefusal, type FuzzTarget } from './fuzz-target.js';

const reader = createArchiveReader();
const codes: readonly ErrorCode[] = ['ARCHIVE_REFUSED', 'UNSUPPORTED_FORMAT'];

async function opened(bytes: Buffer): Promise<OpenedArchive | undefined> {
  try {
    return await reader.open(bytes);
  } catch (error) {
    judgeRefusal(error, codes);
    return undefined;
  }
}

async function judgeArchive(input: Uint8Array, format: 'tgz' | 'zip'): Promise<boolean> {
  const bytes = Buffer.from(input);
  const archive = await opened(bytes);
  if (archive === undefined) return false;
  const tree = await judgeContents(archive);
  // A zip may come out of edits of a .tgz only by a miracle, but what starts with no magic number is anything.
  if (archive.format === format) await judgeAgainst(tree, { archive, bytes });
  return true;
}

/** What is accepted keeps every promise that a pack makes. */
async function judgeContents(archive: OpenedArchive): Promise<Tree> {
  const { fileBytes, unpackedBytes, entries } = defaultArchiveLimits;
  const paths = archive.files.map(({ path }) => path);
  strictEqual(archive.files.length > 0 && archive.files.length <= entries, true, 'it has too few or too many files');
  for (const path of paths) strictEqual(judgePath(path), undefined, `it holds ${JSON.stringify(path)}`);
  strictEqual(findPathConflict(paths), undefined, 'two of its files are one on some system');
  strictEqual(archive.treeDigest, treeDigestOf(archive.files, sha256), 'the tree digest is that of other files');
  const tree: Tree = {};
  let unpacked = 0;
  for await (const { file, chunks } of archive.contents()) {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(Uint8Array.from(chunk));
    const bytes = Buffer.concat(parts);
    strictEqual(bytes.length, file.size, 'a file has another size than it was judged with');
    strictEqual(sha256(bytes), file.digest, 'a file has another digest than it was judged with');
    strictEqual(bytes.length <= fileBytes, true, 'a file is too large');
    unpacked += bytes.length;
    tree[file.path] = { text: bytes.toString('latin1'), executable: file.executable };
  }
  strictEqual(unpacked <= unpackedBytes, true, 'it is too large');
  deepStrictEqual(Object.keys(tree).toSorted(), paths.toSorted(), 'it hands out other files than it lists');
  return tree;
}

/** What is accepted, a library that shares no code with ours reads to the same tree. */
async function judgeAgainst(
  tree: Tree,
  { archive, bytes }: { readonly archive: OpenedArchive; readonly bytes: Buffer },
): Promise<void> {
  if (archive.manifest !== undefined) return;
  const other = await (archive.format === 'tgz' ? readWithNodeTar : readWithYauzl)(bytes).catch((error: unknown) => {
    if (isKnownDifference(error)) return undefined;
    throw error;
  });
  if (other === undefined) return;
  const ignored = new Set(archive.ignored);
  const read = Object.entries(other).filter(([path]) => !ignored.has(path));
  const base = enclosingFolder(
    Object.keys(tree),
    read.map(([path]) => path),
  );
  const expected = Object.entries(tree).map(([path, file]) => [base + path, file] as const);
  deepStrictEqual(new Map(sorted(read)), new Map(sorted(expected)), 'another reader sees another tree');
}

function sorted<Value>(entries: readonly (readonly [string, Value])[]): (readonly [string, Value])[] {
  return entries.toSorted(([left], [right]) => (left < right ? -1 : 1));
}

/** node-tar knows unsigned checksums alone; POSIX lets a reader accept both. */
function isKnownDifference(error: unknown): boolean {
  return error instanceof Error && /checksum failure/u.test(error.message);
}

/** Archives in both formats. */
export const archiveTargets: readonly FuzzTarget[] = [
  fuzzTarget({ name: 'tgz', input: anyTgz, judge: (bytes) => judgeArchive(bytes, 'tgz'), sample: 2_000 }),
  fuzzTarget({ name: 'zip', input: anyZip, judge: (bytes) => judgeArchive(bytes, 'zip'), sample: 2_000 }),
];
