import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { quoted } from '@skillpack/core';
import { asConfinedError, blocked, notFound } from './confined-error.js';

/** What a path says, before anything below the folder is looked at. */
export interface ConfinedPath {
  /** The folder, absolute, without a link in it. */
  readonly root: string;
  /** Below it; none for the folder itself. */
  readonly components: readonly string[];
}

const longestPath = 4096;

/**
 * Reads a path that is relative to a folder, or absolute below it. The folder itself may be reached through links.
 *
 * @throws `PATH_TRAVERSAL_BLOCKED` for a path that leads out by its text; `FILE_NOT_FOUND`, `IO_ERROR` for the folder.
 */
export function readConfinedPath(folder: string, path: string): ConfinedPath {
  const root = rootOf(folder);
  return { root, components: componentsBelow({ folder, root, path }) };
}

/** Whether an absolute path is the folder, or lies below it by its text. */
export function isBelow(folder: string, path: string): boolean {
  const between = relative(folder, path);
  return between === '' || !(isAbsolute(between) || between === '..' || between.startsWith(`..${sep}`));
}

function rootOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    throw asConfinedError(error, folder);
  }
}

function componentsBelow({
  folder,
  root,
  path,
}: {
  readonly folder: string;
  readonly root: string;
  readonly path: string;
}): readonly string[] {
  if (path.includes('\0')) throw blocked(path, 'holds a NUL character');
  if (path.length > longestPath) throw notFound(path);
  const components = path.split(sep === '/' ? '/' : /[\\/]/u);
  // Judged before anything is resolved: behind a link, `..` is not what it seems.
  if (components.includes('..')) throw blocked(path, 'holds “..”');
  const meant = isAbsolute(path) ? belowOneOf([folder, root], path) : components;
  const named = meant.filter((component) => component !== '' && component !== '.');
  // A drive or a stream of Windows is no component.
  if (sep === '\\' && named.some((component) => component.includes(':'))) throw blocked(path, 'holds a colon');
  return named;
}

function belowOneOf(folders: readonly string[], path: string): readonly string[] {
  const base = folders.find((candidate) => isBelow(candidate, path));
  if (base === undefined) throw blocked(path, `is not below ${quoted(folders[0] ?? '')}`);
  return relative(base, path).split(sep);
}
