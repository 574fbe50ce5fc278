import { accessSync, constants, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asIoError } from '../disk/io-error.js';
import { statEntry } from '../disk/stat-entry.js';
import type { RootPaths } from '../root/root-paths.js';
import type { Journal } from './journal.js';

/**
 * Checks that everything a journal changes may be changed: it is found out before the commit, not after it.
 *
 * @throws `IO_ERROR` that names the folder.
 */
export function checkAccess(
  journal: Pick<Journal, 'backup' | 'links' | 'texts'> & { readonly moves: readonly { to: string }[] },
  paths: RootPaths,
): void {
  const { skillsDir, linkBase, lockFile, projectFile, backups } = paths;
  const parents = new Set([
    ...journal.moves.map(({ to }) => dirname(join(skillsDir, to))),
    ...journal.texts.map(({ file }) => dirname(file === 'lock' ? lockFile : projectFile)),
    ...(journal.backup === undefined ? [] : [backups]),
    ...(linkBase === undefined ? [] : journal.links.map(({ path }) => dirname(join(linkBase, path)))),
  ]);
  for (const parent of parents) requireWritable(nearestFolder(parent));
  for (const { to } of journal.moves) checkFolders(join(skillsDir, to));
}

function nearestFolder(path: string): string {
  const parent = dirname(path);
  return statEntry(path) === undefined && parent !== path ? nearestFolder(parent) : path;
}

/** A folder that moves is written to itself, since it has another parent afterwards; the ones in it go with it. */
function checkFolders(path: string): void {
  if (statEntry(path)?.isDirectory() !== true) return;
  requireWritable(path);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) checkFolders(join(path, entry.name));
  }
}

function requireWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw asIoError(error, folder);
  }
}
