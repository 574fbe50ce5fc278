import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../disk/read-text.js';
import { statEntry } from '../disk/stat-entry.js';
import { diskError } from './disk-error.js';
import { ignoreFileName, type IgnoreRules } from './ignore-rules.js';

/** One name in a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'special';
}

/** What an ignore file may have; it is read whole. */
const ignoreBytes = 1024 * 1024;

/** What a folder holds, before anything is judged. */
export interface ReadFolder {
  /** In the order of their names, so that the same folder always reads the same. */
  readonly entries: readonly FolderEntry[];
  /** Those that came in, and those of the folder's own ignore file. */
  readonly rules: IgnoreRules;
}

/**
 * Reads one folder of the folder `root`.
 *
 * @param folder relative to `root`, slash-separated; `.` for `root`.
 * @throws `IO_ERROR`, `FILE_NOT_FOUND`, `FILE_TOO_LARGE`.
 */
export function readFolder(root: string, folder: string, rules: IgnoreRules): ReadFolder {
  const path = join(root, folder);
  try {
    const found = readdirSync(path, { withFileTypes: true });
    const entries = found
      .map((entry): FolderEntry => ({
        name: entry.name,
        kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'special',
      }))
      .toSorted((left, right) => (left.name < right.name ? -1 : 1));
    const own = entries.some(({ name, kind }) => name === ignoreFileName && kind === 'file');
    return { entries, rules: own ? withOwnRules(root, folder, rules) : rules };
  } catch (error) {
    throw diskError(error, path);
  }
}

function withOwnRules(root: string, folder: string, rules: IgnoreRules): IgnoreRules {
  return rules.with(folder, readText(join(root, folder, ignoreFileName), ignoreBytes) ?? '');
}

/**
 * The rules that hold in a folder: those given, and those of the ignore files in every folder above it.
 *
 * @throws `IO_ERROR`, `FILE_TOO_LARGE`.
 */
export function rulesAbove(root: string, folder: string, base: IgnoreRules): IgnoreRules {
  const names = folder === '.' ? [] : folder.split('/');
  let rules = base;
  for (const [index] of names.entries()) {
    const above = names.slice(0, index).join('/') || '.';
    // Not by listing it: it may hold hundreds of folders, and be above each of them.
    try {
      const isThere = statEntry(join(root, above, ignoreFileName))?.isFile() === true;
      if (isThere) rules = withOwnRules(root, above, rules);
    } catch (error) {
      throw diskError(error, join(root, above));
    }
  }
  return rules;
}

/** A path below a folder, which may be `.`. */
export function pathIn(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}
