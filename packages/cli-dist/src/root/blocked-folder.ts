import { statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from '../disk/io-error.js';
import { kindOfEntry } from '../disk/stat-entry.js';

/** The `IO_ERROR` that names what is no folder on the way to one; `undefined` where nothing is in the way. */
export function blockedFolder(path: string): SkillsError | undefined {
  const stats = statIfThere(path);
  const parent = dirname(path);
  if (stats === undefined) return parent === path ? undefined : blockedFolder(parent);
  if (stats.isDirectory()) return undefined;
  return new SkillsError('IO_ERROR', `${path} is a ${kindOfEntry(stats)}, where a folder belongs.`, {
    hint: 'Move it away, then run it again; or choose another folder with --root.',
    data: { path, errno: 'ENOTDIR' },
  });
}

function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
