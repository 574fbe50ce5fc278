import { dirname, join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { asIoError } from '../disk/io-error.js';
import { readText } from '../disk/read-text.js';
import { removeFile } from '../disk/remove-file.js';
import { hasRealParents } from '../disk/stat-entry.js';
import { syncFolder } from '../disk/sync-folder.js';
import { writeFileDurably } from '../disk/write-file-durably.js';
import { throwIfAborted, type RootLock } from '../root/root-lock.js';
import type { RootPaths } from '../root/root-paths.js';
import { carryOut, textDigest, type CarriedOut } from './carry-out.js';
import { checkAccess } from './check-access.js';
import { formatJournal, type Journal, type Move, type StagedMove } from './journal.js';
import { ChangedMeanwhile } from './judge-anew.js';
import type { StagingFolder } from './staging-folder.js';
import { isUnchanged, standingAt, traceOf, type Standing } from './standing.js';

/** A change that is staged and decided, and the root it is for. */
export interface StagedChange {
  readonly paths: RootPaths;
  readonly lock: RootLock;
  readonly staging: StagingFolder;
  readonly journal: Omit<Journal, 'id' | 'staging' | 'moves'> & { readonly moves: readonly StagedMove[] };
  /** What stood at each place of a move when the change was decided. */
  readonly judged: ReadonlyMap<string, Standing | undefined>;
}

/** How it is committed. */
export interface CommitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told when a crash would no longer lead back. */
  readonly onCommitted?: (() => void) | undefined;
}

/**
 * Makes a staged change happen. What is staged is made durable, then the journal appears by one rename: before it, the
 * old state holds; from it on, the new one, which is carried out here or, after a crash, by the next command.
 *
 * @throws `LOCK_CHANGED` when a governing file is not as it was at planning, `BUSY` ({@link ChangedMeanwhile}) when a
 * place of the root is not as it was judged, `PATH_TRAVERSAL_BLOCKED`, `INTERRUPTED`,
 * `IO_ERROR`: the old state holds. An `IO_ERROR` whose `data.committed` is `true`: the next command carries on.
 */
export async function commitChanges(change: StagedChange, options: CommitOptions): Promise<CarriedOut> {
  const { paths, staging } = change;
  await staging.sync();
  for (const folder of change.lock.created) syncFolder(dirname(folder));
  checkTexts(change.journal.texts, paths);
  checkParents(change.journal.moves, paths);
  checkAccess(change.journal, paths);
  throwIfAborted(options.signal);
  const journal: Journal = {
    id: staging.id,
    staging: staging.inode('.'),
    ...change.journal,
    moves: tracedMoves(change),
  };
  try {
    writeFileDurably(paths.journal, formatJournal(journal));
  } catch (error) {
    takeBack(paths);
    throw error;
  }
  options.onCommitted?.();
  try {
    return await carryOut(journal, paths);
  } catch (error) {
    throw committedError(asIoError(error), paths);
  }
}

/**
 * The journal may be in place without being durable, and its staging folder is about to go: it must not come back after
 * a loss of power, to a folder that is half removed.
 */
function takeBack({ journal, controlDir }: RootPaths): void {
  try {
    removeFile(journal);
    syncFolder(controlDir);
  } catch {
    // The disk that refused the journal refuses this as well; the first error is the one to tell.
  }
}

function checkTexts(texts: Journal['texts'], paths: RootPaths): void {
  for (const { file, before } of texts) {
    const path = file === 'lock' ? paths.lockFile : paths.projectFile;
    if (textDigest(readText(path, 64 * 1024 * 1024)) === before) continue;
    throw new SkillsError('LOCK_CHANGED', `${path} was changed while the install was being prepared.`, {
      hint: 'Nothing was installed. Run it again: it starts from the file as it is now.',
      data: { path },
    });
  }
}

/** A stranger's project may have a link where a folder of ours belongs. */
function checkParents(moves: readonly StagedMove[], paths: RootPaths): void {
  // Most have their parents in common.
  const parents = new Map(moves.map(({ to }) => [dirname(to), to]));
  const blocked = [...parents.values()].find((to) => !hasRealParents(paths.skillsDir, to));
  if (blocked === undefined) return;
  const path = dirname(join(paths.skillsDir, blocked));
  throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `${path} is not a folder of skillpack’s own.`, {
    hint: 'Run `skills doctor --repair`: it puts it aside.',
    data: { path },
  });
}

/** The moves, each with what stands at its place: the same as when it was judged. */
function tracedMoves({ journal, judged, paths }: StagedChange): readonly Move[] {
  return journal.moves.map((move): Move => {
    const place = join(paths.skillsDir, move.to);
    const standing = standingAt(place);
    if (!judged.has(move.to)) throw new Error(`${move.to} was not judged`);
    if (!isUnchanged(judged.get(move.to), standing)) throw new ChangedMeanwhile(place);
    if (move.kind === 'put') return { ...move, replaces: standing === undefined ? null : traceOf(standing) };
    if (standing === undefined) throw new Error(`nothing is to be removed at ${move.to}`);
    return { ...move, replaces: traceOf(standing) };
  });
}

function committedError(cause: Error, paths: RootPaths): SkillsError {
  return new SkillsError(
    'IO_ERROR',
    `The change of ${paths.skillsDir} was decided, but not carried out whole: ${cause.message}`,
    {
      hint: 'Put the cause right; the next `skills install`, `update` or `uninstall` in this root finishes it.',
      cause,
      data: { root: paths.skillsDir, committed: true },
    },
  );
}
