import {
  isVersionRange,
  satisfiesRange,
  SkillsError,
  type LockEntry,
  type LockFile,
  type PackName,
} from '@skillpack/core';
import type { RecordedWant } from './wanted-pack.js';

/**
 * Checks that a lock file answers everything that is wanted, so that it can be installed as it is.
 *
 * @throws `FROZEN_MISMATCH`, naming the first pack that it does not answer.
 */
export function checkFrozen(lock: LockFile | undefined, wants: readonly RecordedWant[]): LockFile {
  if (lock === undefined) throw mismatch('There is no lock file to install from', {});
  for (const { name, written } of wants) {
    const entry = lock.packs[name];
    if (entry === undefined) throw mismatch(`skillpack.json wants ${name}, which is not locked`, { name });
    if (entry.range !== written && !answersWant(entry, written)) {
      throw mismatch(`skillpack.json wants ${name}@${written}, but ${name}@${entry.version} is locked`, {
        name,
        wanted: written,
        locked: entry.version,
      });
    }
  }
  for (const [key, entry] of Object.entries(lock.packs)) {
    const name = key as PackName; // a key of a record of pack names
    for (const [dependency, range] of Object.entries(entry.dependencies)) {
      const locked = lock.packs[dependency as PackName]; // a key of a record of pack names
      if (locked !== undefined && satisfiesRange(locked.version, range)) continue;
      throw mismatch(
        `${name}@${entry.version} needs ${dependency}@${range}, but ${locked === undefined ? 'it is not' : `${dependency}@${locked.version} is`} locked`,
        { name, dependency, range, locked: locked?.version },
      );
    }
  }
  return lock;
}

/** Whether a locked version is one that `skillpack.json` may mean, whatever range it was locked for. */
export function answersWant(entry: LockEntry, written: string): boolean {
  return entry.source === 'registry' && isVersionRange(written) && satisfiesRange(entry.version, written);
}

function mismatch(message: string, data: Readonly<Record<string, unknown>>): SkillsError {
  return new SkillsError('FROZEN_MISMATCH', `${message}.`, {
    hint: 'Run `skills install` without --frozen, and keep the lock file it writes.',
    data,
  });
}
