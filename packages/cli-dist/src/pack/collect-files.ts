import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { SkillsError, judgePath, quoted, type ArchiveInput } from '@skillpack/core';
import { pathProblems } from '../archive/refuse.js';
import { diskError } from './disk-error.js';
import type { IgnoreRules } from './ignore-rules.js';
import { linkError } from './link-error.js';
import type { PackBudget } from './pack-budget.js';
import type { PackDiagnostic } from './packed-pack.js';
import { pathIn, readFolder, rulesAbove } from './read-folder.js';
import { holdsPrivateKey, isSecretName } from './secret-files.js';

/** What goes into a pack from one folder. */
export interface CollectOptions {
  readonly rules: IgnoreRules;
  /** Whether `files` of skillpack.json, if it is there, takes a path in. */
  readonly takes: (path: string) => boolean;
  readonly executable: 'mode' | 'shebang';
  /** Of the whole pack: what was collected for it before counts too. */
  readonly budget: PackBudget;
  readonly signal: AbortSignal | undefined;
}

/** The files of a folder. Paths are relative to the packed folder. */
export interface CollectedFiles {
  readonly files: readonly ArchiveInput[];
  readonly ignored: readonly string[];
  readonly diagnostics: readonly PackDiagnostic[];
}

/**
 * Reads every file below a folder that goes into a pack.
 *
 * @throws `INVALID_PATH` for a link, a device or a name that no pack may hold, `FILE_TOO_LARGE`, `IO_ERROR`,
 *   `INTERRUPTED`.
 */
export async function collectFiles(root: string, folder: string, options: CollectOptions): Promise<CollectedFiles> {
  const collection: Collection = { root, options, files: [], ignored: [], diagnostics: [] };
  await visit(collection, folder, await rulesAbove(root, folder, options.rules));
  return collection;
}

interface Collection extends CollectedFiles {
  readonly root: string;
  readonly options: CollectOptions;
  readonly files: ArchiveInput[];
  readonly ignored: string[];
  readonly diagnostics: PackDiagnostic[];
}

async function visit(collection: Collection, folder: string, inherited: IgnoreRules): Promise<void> {
  const { entries, rules } = await readFolder(collection.root, folder, inherited);
  for (const { name, kind } of entries) {
    const path = pathIn(folder, name);
    const marked = kind === 'folder' ? `${path}/` : path;
    if (rules.ignores(marked)) collection.ignored.push(marked);
    else if (isSecretName(marked)) leaveSecretOut(collection, marked);
    else if (kind === 'folder') await visit(collection, path, rules);
    else if (kind === 'file' && !collection.options.takes(path)) collection.ignored.push(path);
    else await take(collection, path, kind);
  }
}

async function take(collection: Collection, path: string, kind: 'file' | 'link' | 'special'): Promise<void> {
  const { root, options } = collection;
  if (options.signal?.aborted === true) {
    throw new SkillsError('INTERRUPTED', 'Packing was cancelled.', { cause: options.signal.reason });
  }
  if (kind === 'link') throw await linkError(root, path);
  if (kind === 'special') {
    throw new SkillsError(
      'INVALID_PATH',
      `${quoted(path)} is neither a file nor a folder. A pack holds nothing else.`,
      {
        hint: 'Remove it, or leave it out with a line in .skillpackignore.',
        data: { path },
      },
    );
  }
  checkPath(path);
  const file = await readOne(collection, path);
  if (holdsPrivateKey(path, file.bytes)) leaveSecretOut(collection, path);
  else collection.files.push(file);
}

function checkPath(path: string): void {
  const problem = judgePath(path);
  if (problem === undefined) return;
  throw new SkillsError('INVALID_PATH', `${quoted(path)} cannot be packed: it ${pathProblems[problem]}.`, {
    hint: 'Rename it, or leave it out with a line in .skillpackignore.',
    data: { path, problem },
  });
}

async function readOne(collection: Collection, path: string): Promise<ArchiveInput> {
  const place = join(collection.root, path);
  try {
    // Had the file been replaced by a link since the folder was read, opening would fail.
    const handle = await open(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return await readHandle(handle, path, collection);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw diskError(error, place);
  }
}

async function readHandle(handle: FileHandle, path: string, collection: Collection): Promise<ArchiveInput> {
  const { executable, budget } = collection.options;
  const { size, mode } = await handle.stat();
  budget.take(path, size);
  const bytes = await handle.readFile();
  const shebang = bytes[0] === 0x23 && bytes[1] === 0x21;
  return { path, bytes, executable: executable === 'mode' ? (mode & 0o111) !== 0 : shebang };
}

function leaveSecretOut(collection: Collection, path: string): void {
  collection.ignored.push(path);
  collection.diagnostics.push({
    code: 'secret-left-out',
    severity: 'warning',
    path,
    line: undefined,
    message: `${quoted(path)} usually holds secrets.`,
    fix: 'It was left out of the pack. Give it another name if it is meant to be public.',
  });
}
