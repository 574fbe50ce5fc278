import { opendirSync, type BigIntStats, type Dir } from 'node:fs';
import type { SkillFile } from '@skillpack/core';
import { comparePaths, SkillsError } from '@skillpack/core/listing';
import { errnoOf } from '../errno.js';
import { ConfinedFolder } from './confined-folder.js';
import { confinedError } from './confined-error.js';
import type { FolderAccess, Place } from './folder-access.js';
import { folderAccessHere } from './folder-access-here.js';
import { unlessChanging } from './unless-changing.js';

/** How the files of a folder are listed. */
export interface ListConfinedFilesOptions {
  /** How many at most, those nearer to the top first. */
  readonly maxFiles: number;
  /** How many folders below the folder a file may lie. */
  readonly maxDepth: number;
  /** A file at the top that is listed however many others there are. @default none */
  readonly first?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** @default the safest that the system has */
  readonly access?: FolderAccess | undefined;
}

const skipped = new Set(['.git', 'node_modules']);
// What is no file costs as much to look at: folders without any, links that lead nowhere.
const entriesPerFile = 4;

/**
 * The regular files of a folder and of those below it, by path: what is in `.git` or `node_modules` is left out, and
 * whatever can be no path of Unicode. Links are not walked through; one to a file that is in the folder is listed as that
 * file.
 *
 * @param realPath absolute, in which no part is a link.
 * @throws `FILE_NOT_FOUND` when the folder is gone, `IO_ERROR`, `INTERRUPTED`.
 */
export async function listConfinedFiles(
  realPath: string,
  options: ListConfinedFilesOptions,
): Promise<readonly SkillFile[]> {
  const { maxFiles, maxDepth, first, signal, access = folderAccessHere() } = options;
  const files: SkillFile[] = [];
  const budget = { files: maxFiles, entries: maxFiles * entriesPerFile };
  let level: readonly (readonly string[])[] = [[]];
  for (let depth = 0; level.length > 0 && depth <= maxDepth; depth += 1) {
    const below: (readonly string[])[] = [];
    for (const names of level) {
      if (signal?.aborted === true) {
        throw new SkillsError('INTERRUPTED', 'Listing the files of a skill was cancelled.', { cause: signal.reason });
      }
      const listed = await listOne({ realPath, names, budget, first: depth === 0 ? first : undefined }, access);
      files.push(...listed.files);
      budget.files -= listed.files.length;
      budget.entries -= listed.looked;
      for (const name of listed.folders) below.push([...names, name]);
    }
    level = below;
  }
  return files.toSorted((left, right) => comparePaths(left.path, right.path));
}

const passed = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']);
const nothing: ListedFolder = { files: [], folders: [], looked: 1 };

interface ListedFolder {
  readonly files: readonly SkillFile[];
  readonly folders: readonly string[];
  /** How many entries were looked at. */
  readonly looked: number;
}

interface WantedFolder {
  readonly realPath: string;
  readonly names: readonly string[];
  readonly budget: { readonly files: number; readonly entries: number };
  /** What is looked at first in it. */
  readonly first: string | undefined;
}

async function listOne(wanted: WantedFolder, access: FolderAccess): Promise<ListedFolder> {
  const { realPath, names } = wanted;
  try {
    return await unlessChanging(() => listFolder(wanted, access));
  } catch (error) {
    // Below the top, a folder that is gone by now, or is closed to this person, holds nothing.
    if (names.length > 0 && (SkillsError.is(error) || passed.has(errnoOf(error)))) return nothing;
    throw confinedError(error, { path: names.join('/') || '.', realPath });
  }
}

function listFolder({ realPath, names, budget, first }: WantedFolder, access: FolderAccess): ListedFolder {
  const folder = new ConfinedFolder(realPath, access);
  try {
    const place = folder.find(names);
    const entries = namesIn(place, budget.entries);
    access.confirm(place);
    const files: SkillFile[] = [];
    const folders: string[] = [];
    for (const name of new Set(first === undefined ? entries : [first, ...entries])) {
      const found = lookAt({ realPath, place, names: [...names, name] }, access);
      if (found === 'folder') folders.push(name);
      else if (found !== undefined && files.length < budget.files) files.push(found);
    }
    return { files, folders: folders.filter((name) => !skipped.has(name)), looked: entries.length };
  } finally {
    folder.close();
  }
}

function namesIn(place: Place, most: number): readonly string[] {
  let dir: Dir | undefined;
  try {
    dir = opendirSync(place.path);
    const names: string[] = [];
    for (let entry = dir.readSync(); entry !== null && names.length < most; entry = dir.readSync()) {
      names.push(entry.name);
    }
    return names.toSorted();
  } finally {
    dir?.closeSync();
  }
}

interface WantedEntry {
  readonly realPath: string;
  /** The folder it is in. */
  readonly place: Place;
  readonly names: readonly string[];
}

function lookAt({ realPath, place, names }: WantedEntry, access: FolderAccess): SkillFile | 'folder' | undefined {
  let entry: Place | undefined;
  try {
    entry = access.entry(place, names.at(-1) ?? '');
    const { stat } = entry;
    if (stat.isDirectory()) return 'folder';
    const file = stat.isSymbolicLink() ? targetOf(realPath, names, access) : stat;
    if (!file.isFile()) return undefined;
    return { path: names.join('/'), size: Number(file.size), executable: (file.mode & 0o111n) !== 0n };
  } catch (error) {
    if (!SkillsError.is(error) && errnoOf(error) === 'ESTALE') throw error;
    // A link that leads out, a name that is no Unicode, something that went away.
    return undefined;
  } finally {
    if (entry !== undefined) access.release(entry);
  }
}

function targetOf(realPath: string, names: readonly string[], access: FolderAccess): BigIntStats {
  const folder = new ConfinedFolder(realPath, access);
  try {
    return folder.find(names).stat;
  } finally {
    folder.close();
  }
}
