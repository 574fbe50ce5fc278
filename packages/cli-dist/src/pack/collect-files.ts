import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { SkillsError, judgePath, pathProblems, quoted, type ArchiveInput } from '@skillpack/core';
import { isLossyName } from '../disk/raw-names.js';
import { diskError } from './disk-error.js';
import type { IgnoreRules } from './ignore-rules.js';
import { linkError } from './link-error.js';
import type { PackBudget } from './pack-budget.js';
import type { PackDiagnostic } from './packed-pack.js';
import { pathIn, readFolder, rulesAbove } from './read-folder.js';
import { holdsPrivateKey, isSecretName } from './secret-files.js';

const filesInOneGo = 64;
// Had the file been replaced since the folder was read: by a link, opening fails; by a FIFO, nobody waits for a writer.
const reading = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

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
  await visit(collection, folder, rulesAbove(root, folder, options.rules));
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
  const { entries, rules } = readFolder(collection.root, folder, inherited);
  for (const { name, kind } of entries) {
    const path = pathIn(folder, name);
    const marked = kind === 'folder' ? `${path}/` : path;
    if (rules.ignores(marked)) collection.ignored.push(marked);
    else if (isSecretName(marked)) leaveSecretOut(collection, marked);
    else if (kind === 'folder') {
      if (isLossyName(name)) checkPath(path);
      await visit(collection, path, rules);
    } else if (kind === 'file' && !collection.options.takes(path)) collection.ignored.push(path);
    else await take(collection, path, kind);
  }
}

async function take(collection: Collection, path: string, kind: 'file' | 'link' | 'special'): Promise<void> {
  const { root, options } = collection;
  if (options.signal?.aborted === true) {
    throw new SkillsError('INTERRUPTED', 'Packing was cancelled.', { cause: options.signal.reason });
  }
  if (kind === 'link') throw await linkError(root, path);
  if (kind === 'special') throw notAFile(path);
  checkPath(path);
  const file = readOne(collection, path);
  // Lets a cancellation in.
  if (collection.files.length % filesInOneGo === 0) await setImmediate();
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

/** Read at once: to have thousands of small files read elsewhere, and wait for each, takes several times as long. */
function readOne(collection: Collection, path: string): ArchiveInput {
  const place = join(collection.root, path);
  try {
    const descriptor = openSync(place, reading);
    try {
      return readOpened(descriptor, path, collection);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw diskError(error, place);
  }
}

function readOpened(descriptor: number, path: string, collection: Collection): ArchiveInput {
  const { executable, budget } = collection.options;
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) throw notAFile(path);
  budget.take(path, stats.size);
  const bytes = readFileSync(descriptor);
  const shebang = bytes[0] === 0x23 && bytes[1] === 0x21;
  return { path, bytes, executable: executable === 'mode' ? (stats.mode & 0o111) !== 0 : shebang };
}

function notAFile(path: string): SkillsError {
  return new SkillsError('INVALID_PATH', `${quoted(path)} is neither a file nor a folder. A pack holds nothing else.`, {
    hint: 'Remove it, or leave it out with a line in .skillpackignore.',
    data: { path },
  });
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
