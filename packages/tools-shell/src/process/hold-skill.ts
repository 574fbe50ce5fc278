import { createHash } from 'node:crypto';
import { mkdirSync, readSync, realpathSync, writeFileSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { checkAborted, quoted, SkillsError, treeDigestOf, type Digest, type TreeFile } from '@skillpack/core';
import { isBelow } from '../confine/confined-path.js';
import { withConfinedFile } from '../confine/open-confined.js';
import { readConfinedFolder } from '../confine/read-confined-folder.js';
import { errnoOf } from '../errno.js';

/** How the folder of a skill is read. */
export interface HoldSkillOptions {
  /** A folder that is not there yet, for a copy of what was read. @default nothing is copied */
  readonly into?: string | undefined;
  readonly signal: AbortSignal;
}

const mostFiles = 5_000;
const mostBytes = 64 * 1024 * 1024;
/** Folders below the folder of the skill. */
const mostDepth = 16;
const skipped = new Set(['.git', 'node_modules']);
// eslint-disable-next-line no-control-regex -- finding control characters is what it is for
const controlCharacter = /[\u0000-\u001F\u007F]/u;

/**
 * Reads all files of a skill, and copies them: what the copy holds is what the digest says, whatever becomes of the folder
 * meanwhile. They are the files that a registry of folders lists: none in `.git` and `node_modules`, and a link only where
 * it leads to a file of the same folder, as that file. No link is followed on the way to any of them.
 *
 * @param folder absolute, without a link in it.
 * @returns the digest of them, as `treeDigestOf` makes it.
 * @throws `FILE_TOO_LARGE` for 5,000 files or more, or more than 64 MiB; `INVALID_SKILL` for a name that nobody could
 * write down; `INTERRUPTED`, `IO_ERROR`, and what reading throws where the folder changes.
 */
export function holdSkill(folder: string, { into, signal }: HoldSkillOptions): Digest {
  const files: TreeFile[] = [];
  const reading: Reading = { folder, into, signal, files, left: mostBytes };
  if (into !== undefined) makeFolder(into);
  for (let level: readonly string[] = ['']; level.length > 0;) {
    const below: string[] = [];
    for (const place of level) {
      for (const entry of readConfinedFolder({ path: join(folder, place) })) {
        const path = place === '' ? entry.name : `${place}/${entry.name}`;
        const kind = kindOf(entry, path, folder);
        if (kind === 'folder') {
          below.push(path);
          if (into !== undefined) makeFolder(join(into, path));
        } else if (kind !== undefined) takeFile({ path, from: kind.from }, reading);
      }
    }
    level = below.filter((path) => path.split('/').length <= mostDepth);
  }
  return treeDigestOf(withSkillFile(files), sha256);
}

interface Reading {
  readonly folder: string;
  readonly into: string | undefined;
  readonly signal: AbortSignal;
  readonly files: TreeFile[];
  left: number;
}

/** What is taken: a folder to look into, or a file, which may lie elsewhere in the same folder. */
function kindOf(entry: Dirent, path: string, folder: string): 'folder' | { readonly from: string } | undefined {
  if (entry.isDirectory()) return skipped.has(entry.name) ? undefined : 'folder';
  if (entry.isFile()) return { from: path };
  return entry.isSymbolicLink() ? targetOf(path, folder) : undefined;
}

function targetOf(path: string, folder: string): { readonly from: string } | undefined {
  try {
    const target = realpathSync(join(folder, path));
    if (!isBelow(folder, target)) return undefined;
    return withConfinedFile(folder, target, ({ place }) => ({ from: place }));
  } catch {
    // It leads nowhere, or to what is no file.
    return undefined;
  }
}

function takeFile({ path, from }: { readonly path: string; readonly from: string }, reading: Reading): void {
  const { folder, into, signal, files } = reading;
  checkAborted(signal, 'Reading the skill');
  if (controlCharacter.test(path)) {
    throw new SkillsError(
      'INVALID_SKILL',
      `The skill has a file ${quoted(path)}, a name that nobody could write down.`,
    );
  }
  if (files.length + 1 >= mostFiles) throw tooLarge(folder, `${mostFiles} files or more`);
  const { bytes, executable } = withConfinedFile(folder, from, ({ descriptor, stats }) => {
    if (stats.size > reading.left) throw tooLarge(folder, `more than ${mostBytes} bytes`);
    return { bytes: readAll(descriptor, reading.left, folder), executable: (stats.mode & 0o111) !== 0 };
  });
  reading.left -= bytes.length;
  files.push({ path, size: bytes.length, digest: sha256(bytes), executable });
  if (into !== undefined) writeFileSync(join(into, path), bytes, { flag: 'wx', mode: executable ? 0o755 : 0o644 });
}

/** A file may grow while it is read. */
function readAll(descriptor: number, most: number, folder: string): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const piece = new Uint8Array(1024 * 1024);
    const read = readSync(descriptor, piece, 0, piece.length, null);
    if (read === 0) return Buffer.concat(pieces, size);
    pieces.push(piece.subarray(0, read));
    size += read;
    if (size > most) throw tooLarge(folder, `more than ${mostBytes} bytes`);
  }
}

/** A registry tells the file that makes a folder a skill by that name, however it is written. */
function withSkillFile(files: readonly TreeFile[]): readonly TreeFile[] {
  const named = files.map(({ path }) => path).filter((path) => path.toLowerCase() === 'skill.md');
  if (named.includes('SKILL.md')) return files;
  const own = named.find((path) => path === 'skill.md') ?? named.toSorted()[0];
  return files.map((file) => (file.path === own ? { ...file, path: 'SKILL.md' } : file));
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o755 });
  } catch (error) {
    throw new SkillsError('IO_ERROR', `The system does not make ${quoted(path)} (${errnoOf(error)}).`, {
      cause: error,
    });
  }
}

function sha256(data: Uint8Array | string): Digest {
  // A digest is this prefix and the hexadecimal form of the hash.
  return `sha256:${createHash('sha256').update(data).digest('hex')}` as Digest;
}

function tooLarge(folder: string, what: string): SkillsError {
  return new SkillsError('FILE_TOO_LARGE', `The skill at ${quoted(folder)} is not run: it has ${what}.`, {
    hint: 'What a skill does not need at work belongs elsewhere.',
  });
}
