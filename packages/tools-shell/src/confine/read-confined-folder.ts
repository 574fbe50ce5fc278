import { closeSync, constants, lstatSync, openSync, readdirSync, type Dirent } from 'node:fs';
import type { ConfinedEntry } from './confined-entry.js';
import { handleOf, holdsByDescriptor } from './hold-entry.js';
import { isOpenAt } from './is-open-at.js';

/** What is in a folder, by name; nothing of one that cannot be read, or that became something else since it was found. */
export function readConfinedFolder({ path }: Pick<ConfinedEntry, 'path'>): readonly Dirent[] {
  try {
    return entriesOf(path).toSorted((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}

function entriesOf(path: string): readonly Dirent[] {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return [];
  if (!holdsByDescriptor()) return readdirSync(path, { withFileTypes: true });
  // What is held cannot be exchanged while it is read.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if (!isOpenAt(descriptor, { path, place: '', stats })) return [];
    return readdirSync(handleOf(descriptor), { withFileTypes: true });
  } finally {
    closeSync(descriptor);
  }
}
