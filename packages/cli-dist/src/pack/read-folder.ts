import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../disk/read-text.js';
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
export async function readFolder(root: string, folder: string, rules: IgnoreRules): Promise<ReadFolder> {
  const path = join(root, folder);
  try {
    const found = await readdir(path, { withFileTypes: true });
    const entries = found
      .map((entry): FolderEntry => ({
        name: entry.name,
        kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'special',
      }))
      .toSorted((left, right) => (left.name < right.name ? -1 : 1));
    const own = entries.some(({ name, kind }) => name === ignoreFileName && kind === 'file');
    if (!own) return { entries, rules };
    return { entries, rules: rules.with(folder, readText(join(path, ignoreFileName), ignoreBytes) ?? '') };
  } catch (error) {
    throw diskError(error, path);
  }
}

/** The rules that hold in a folder: those given, and those of the ignore files in every folder above it. */
export async function rulesAbove(root: string, folder: string, base: IgnoreRules): Promise<IgnoreRules> {
  const names = folder === '.' ? [] : folder.split('/');
  let rules = base;
  for (const [index] of names.entries()) {
    ({ rules } = await readFolder(root, names.slice(0, index).join('/') || '.', rules));
  }
  return rules;
}

/** A path below a folder, which may be `.`. */
export function pathIn(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}
