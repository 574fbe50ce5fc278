import type { InstallReport } from './install-report.js';
import { commitChanges } from '../apply/commit-changes.js';
import { judgeAnew } from '../apply/judge-anew.js';
import { recoverRoot } from '../apply/recover-root.js';
import { StagingFolder } from '../apply/staging-folder.js';
import { lockRoot, throwIfAborted, type RootLock } from '../root/root-lock.js';
import { backUpFiles } from './back-up-files.js';
import { describeInstall } from './describe-install.js';
import type { InstallSession } from './install-session.js';
import { changesAnything, isChange, prepareInstall, type PreparedInstall } from './prepare-install.js';
import { filesToBackUp, reviewInstall, type InstallReview } from './review-install.js';
import { stageInstall } from './stage-install.js';

/** How long another process is waited for. */
export const defaultLockTimeout = 60_000;

/** Takes the root's lock, decides once more, and carries it out. @throws as `installPacks`. */
export async function applyInstall(session: InstallSession): Promise<InstallReport> {
  const { paths, options } = session;
  const timeout = options.lockTimeout ?? defaultLockTimeout;
  const lock = await lockRoot(paths, {
    timeout,
    signal: options.signal,
    onWait: (holder) => options.onEvent?.({ kind: 'waiting', holder, timeout }),
  });
  try {
    const recovery = await recoverRoot(paths);
    if (recovery !== undefined) options.onEvent?.({ kind: 'recovered', outcome: recovery.outcome });
    const report = await judgeAnew(() => decideAndCommit(session, lock));
    return { ...report, backups: [...(recovery?.backups ?? []), ...report.backups] };
  } finally {
    lock.release();
  }
}

async function decideAndCommit(session: InstallSession, lock: RootLock): Promise<InstallReport> {
  const { options } = session;
  const prepared = await prepareInstall(session);
  const review = await reviewInstall(prepared, session);
  for (const warning of review.warnings) session.warn(warning);
  const { plan } = prepared;
  const changes = [...plan.values()].filter(isChange).length;
  options.onEvent?.({ kind: 'resolved', packs: plan.size, changes });
  if (!changesAnything(prepared)) return describeInstall(prepared, session, { backups: [] });
  const backups = await stageAndCommit({ prepared, review }, session, lock);
  options.onEvent?.({ kind: 'applied', packs: changes });
  return describeInstall(prepared, session, { backups });
}

async function stageAndCommit(
  { prepared, review }: { readonly prepared: PreparedInstall; readonly review: InstallReview },
  session: InstallSession,
  lock: RootLock,
): Promise<readonly string[]> {
  const { paths, options } = session;
  const { edits, judged } = review;
  throwIfAborted(options.signal);
  const staging = new StagingFolder(paths);
  let committed = false;
  try {
    const moves = await stageInstall({ session, prepared, edits, staging });
    const kept = { paths, files: filesToBackUp(prepared, edits), now: session.ports.now() };
    const backup = backUpFiles(kept, staging);
    const journal = { moves, backup, links: prepared.links.changes, texts: prepared.texts };
    const { changedTexts, backups } = await commitChanges(
      { paths, lock, staging, journal, judged },
      {
        signal: options.signal,
        onCommitted: () => {
          committed = true;
          options.onEvent?.({ kind: 'committed' });
        },
      },
    );
    for (const file of changedTexts) {
      session.warn({ kind: 'lock-changed', path: file === 'lock' ? paths.lockFile : paths.projectFile });
    }
    return backups;
  } catch (error) {
    if (!committed) staging.discard();
    throw error;
  }
}
