import { dirname } from 'node:path';
import { isBelow } from '../confine/confined-path.js';
import type { ShownPlace } from './sandbox.js';

/** What is to be seen besides the machine's programs. */
export interface MountWishes {
  /** The one folder to write to. */
  readonly workspace: string;
  /** Places of the workspace that are not to be written to, nor to be moved. */
  readonly protectedPaths: readonly string[];
  /** Seen, and not to be written to. */
  readonly shown: readonly ShownPlace[];
}

/** One place that is seen. */
export interface Mount extends ShownPlace {
  readonly writable: boolean;
}

/**
 * The order in which places are laid over one another: each after those around it. Where two would lie at one place, the
 * one that cannot be written to does. Between the workspace and what is protected in it, every folder is a place of its
 * own: such a one cannot be renamed, and so nothing can be put where it was.
 */
export function planMounts({ workspace, protectedPaths, shown }: MountWishes): readonly Mount[] {
  const mounts = new Map<string, Mount>([[workspace, { path: workspace, from: workspace, writable: true }]]);
  // In a place that is another one's copy they may not be there; nothing in it can be written to anyway.
  const open = protectedPaths.filter((path) => !shown.some((place) => isBelow(place.path, path)));
  const fixed = [...open.map((path) => ({ path, from: path })), ...shown];
  const within = fixed.map(({ path }) => path).filter((path) => isBelow(workspace, path));
  for (const { path } of fixed) {
    for (const folder of foldersBetween(workspace, path)) {
      if (!within.some((other) => isBelow(other, folder))) {
        mounts.set(folder, { path: folder, from: folder, writable: true });
      }
    }
  }
  for (const { path, from } of fixed) mounts.set(path, { path, from, writable: false });
  return [...mounts.values()].toSorted((left, right) => left.path.length - right.path.length);
}

function foldersBetween(folder: string, path: string): readonly string[] {
  const between: string[] = [];
  for (let next = dirname(path); next !== folder && isBelow(folder, next); next = dirname(next)) between.push(next);
  return between;
}
