import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '@skillpack/core';
import { asConfinedError, blocked, notFound } from './confined-error.js';
import { readConfinedPath } from './confined-path.js';

export { isBelow } from './confined-path.js';

/** A file or folder below a folder that nothing leads out of. */
export interface ConfinedEntry {
  /** Absolute, without a link in it. */
  readonly path: string;
  /** Below the folder, with `/`; empty for the folder itself. */
  readonly place: string;
  readonly stats: Stats;
}

/**
 * Finds what a path means below a folder: relative to it, or absolute. The folder itself may be reached through links;
 * below it no component may be one, whether it leads out or not, since it could be another the next moment.
 *
 * @throws `PATH_TRAVERSAL_BLOCKED` for a path that leads out or through a link, `FILE_NOT_FOUND`, `IO_ERROR`.
 */
export function findConfined(folder: string, path: string): ConfinedEntry {
  const { root, components } = readConfinedPath(folder, path);
  let found: ConfinedEntry = { path: root, place: '', stats: statOf(root, path) };
  for (const component of components) {
    if (!found.stats.isDirectory()) throw notFound(path);
    const next = join(found.path, component);
    const stats = statOf(next, path);
    const place = found.place === '' ? component : `${found.place}/${component}`;
    if (stats.isSymbolicLink()) throw blocked(path, `leads through the link ${quoted(place)}`);
    found = { path: next, place, stats };
  }
  return found;
}

function statOf(entry: string, asked: string): Stats {
  try {
    return lstatSync(entry);
  } catch (error) {
    throw asConfinedError(error, asked);
  }
}
