import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBelow } from '../confine/confined-path.js';

/**
 * The folders of a workspace from which this program, and others by their files, have their code: who could write there
 * would be run unconfined. Of a program that is installed in a project, that is all of its `node_modules`.
 *
 * @param files absolute. @default the file of this program that confines
 */
export function codeFolders(
  workspace: string,
  files: readonly string[] = [fileURLToPath(import.meta.url)],
): readonly string[] {
  const real = files.filter((file) => existsSync(file)).map((file) => realpathSync(file));
  const inside = real.filter((file) => isBelow(workspace, file));
  return [...new Set(inside.map((file) => folderOf(file, workspace)))];
}

function folderOf(file: string, workspace: string): string {
  const parts = relative(workspace, file).split(sep);
  const modules = parts.indexOf('node_modules');
  if (modules !== -1) return join(workspace, ...parts.slice(0, modules + 1));
  const folder = dirname(file);
  for (let next = folder; next !== workspace; next = dirname(next)) {
    if (existsSync(join(next, 'package.json'))) return next;
  }
  // The workspace as a whole is what programs write to.
  return folder;
}
