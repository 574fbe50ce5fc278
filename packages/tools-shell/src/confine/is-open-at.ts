import { fstatSync, lstatSync, readlinkSync } from 'node:fs';
import type { ConfinedEntry } from './confined-entry.js';
import { handleOf } from './hold-entry.js';

/**
 * Whether what is open lies where it was found. Linux says by which path it was really reached. Elsewhere the place is
 * looked at again: somebody who may write there, and hits two moments, comes between.
 */
export function isOpenAt(descriptor: number, { path, stats }: ConfinedEntry): boolean {
  const reached = process.platform === 'linux' ? pathOf(descriptor) : undefined;
  if (reached !== undefined) return reached === path;
  const [opened, now] = [fstatSync(descriptor), lstatSync(path, { throwIfNoEntry: false })];
  return [stats, now].every((other) => other?.ino === opened.ino && other.dev === opened.dev);
}

function pathOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(handleOf(descriptor));
  } catch {
    // Without /proc, as in some containers.
    return undefined;
  }
}
