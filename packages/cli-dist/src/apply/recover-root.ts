import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { asIoError } from '../disk/io-error.js';
import { removeFile } from '../disk/remove-file.js';
import { hasRealParents, inodeOf, statEntry } from '../disk/stat-entry.js';
import { temporaryFiles } from '../disk/temporary-files.js';
import { lockRoot } from '../root/root-lock.js';
import type { RootPaths } from '../root/root-paths.js';
import { carryOut, displacesOthers, isMoved } from './carry-out.js';
import { readJournal, unreadableJournal, type Journal } from './journal.js';

/** What was done about what a dead process left. */
export interface Recovery {
  readonly outcome: 'finished' | 'discarded';
  /** Folders that what stood in the way was moved to. */
  readonly backups: readonly string[];
}

/** Whether a process died in this root, or is at work in it. */
export function isUnsettled(paths: RootPaths): boolean {
  return statEntry(paths.journal) !== undefined || statEntry(paths.staging) !== undefined;
}

/**
 * Finishes a committed change whose process died, and removes what an uncommitted one left. The root's lock is held.
 *
 * @throws `IO_ERROR` when a journal is there that this version cannot read.
 */
export async function recoverRoot(paths: RootPaths): Promise<Recovery | undefined> {
  if (!isUnsettled(paths)) return undefined;
  const journal = readJournal(paths.journal);
  if (journal === 'unreadable') throw unreadableJournal(paths.journal);
  const whole = journal !== undefined && isWhole(journal, paths);
  const { backups } = whole ? await carryOut(journal, paths) : { backups: [] };
  if (!whole) discard(paths);
  for (const path of [paths.controlDir, paths.baseDir].flatMap(temporaryFiles)) removeFile(path);
  return { outcome: whole ? 'finished' : 'discarded', backups };
}

/**
 * As {@link recoverRoot}, for commands that only read: where somebody is at work, nothing may be written, or somebody's
 * work would be put aside, nothing is done.
 */
export async function recoverIfFree(paths: RootPaths): Promise<Recovery | undefined> {
  if (!isUnsettled(paths)) return undefined;
  try {
    const lock = await lockRoot(paths, { timeout: 0 });
    try {
      const journal = readJournal(paths.journal);
      const stuck = typeof journal === 'object' && isWhole(journal, paths) && displacesOthers(journal, paths);
      return stuck ? undefined : await recoverRoot(paths);
    } finally {
      lock.release();
    }
  } catch (error) {
    const failure = asIoError(error);
    if (!SkillsError.is(failure, 'BUSY') && !SkillsError.is(failure, 'IO_ERROR')) throw failure;
    return undefined;
  }
}

/**
 * Whether a journal was written for this very staging folder (one that came with a project, or a copy of the root made
 * in between, was not), everything it moves is still there, and no link in a stranger's project would lead a move
 * elsewhere.
 */
function isWhole(journal: Journal, paths: RootPaths): boolean {
  const folder = join(paths.staging, journal.id);
  if (!hasRealParents(paths.controlDir, `${basename(paths.staging)}/${journal.id}/trash/any`)) return false;
  if (inodeOf(folder) !== journal.staging) return false;
  return journal.moves.every(
    (move) =>
      hasRealParents(paths.skillsDir, move.to) &&
      (move.kind === 'drop' ||
        isMoved(move, paths) ||
        (hasRealParents(paths.staging, `${journal.id}/${move.from}`) &&
          inodeOf(join(folder, move.from)) === move.inode)),
  );
}

function discard(paths: RootPaths): void {
  // The journal first: without its staging folder it would mean nothing.
  removeFile(paths.journal);
  rmSync(paths.staging, { recursive: true, force: true, maxRetries: 3 });
}
