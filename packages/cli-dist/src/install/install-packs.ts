import { SkillsError, type PackName } from '@skillpack/core';
import { isUnsettled, recoverIfFree } from '../apply/recover-root.js';
import { asIoError } from '../disk/io-error.js';
import { advisedRefusal } from '../doctor/advised-refusal.js';
import { rootPaths } from '../root/root-paths.js';
import { applyInstall } from './apply-install.js';
import { describeInstall } from './describe-install.js';
import type { InstallOptions, InstallRequest } from './install-options.js';
import type { InstallReport } from './install-report.js';
import { InstallSession, type InstallAim } from './install-session.js';
import type { PackManagerPorts } from './pack-manager-ports.js';
import { changesAnything, isChange, prepareInstall, type PreparedInstall } from './prepare-install.js';
import { reviewInstall } from './review-install.js';
import { sealSettled } from './seal-settled.js';

/**
 * Installs packs into a root, with everything they depend on. A crash at any point leaves what was there before, or
 * what was asked for; the next call finishes or removes what it finds. Many may run at once: they take turns.
 *
 * @throws among others `PACK_NOT_FOUND`, `VERSION_NOT_FOUND`, `DEPENDENCY_CONFLICT`, `NAME_COLLISION`,
 *   `FOLDER_NOT_OWNED`, `FILES_EDITED`, `INTEGRITY_MISMATCH`, `VERSION_REVOKED`, `ARCHIVE_REFUSED`,
 *   `FROZEN_MISMATCH`, `LOCK_CONFLICT`, `BUSY`, `INTERRUPTED`, `IO_ERROR`: nothing was changed.
 * @example
 * ```ts
 * const report = await installPacks(
 *   { root: projectRoot('.'), specs: [parsePackSpec('org/pdf@^1')] },
 *   ports,
 *   { onEvent: (event) => show(event) },
 * );
 * ```
 */
export async function installPacks(
  request: InstallRequest,
  ports: PackManagerPorts,
  options: InstallOptions = {},
): Promise<InstallReport> {
  const { root, specs, from = root.baseDir } = request;
  return changeInstalled({ root, aim: { specs, from, moving: new Set<PackName>() } }, ports, options);
}

/** What `installPacks` and `updatePacks` have in common. */
export async function changeInstalled(
  { root, aim }: { readonly root: InstallRequest['root']; readonly aim: InstallAim },
  ports: PackManagerPorts,
  options: InstallOptions,
): Promise<InstallReport> {
  try {
    const session = new InstallSession({ paths: rootPaths(root), aim }, ports, options);
    return await runInstall(session);
  } catch (error) {
    if (options.signal?.aborted === true && !SkillsError.is(error)) {
      throw new SkillsError('INTERRUPTED', 'Cancelled; nothing was changed.', { cause: error });
    }
    throw SkillsError.is(error) ? await advisedRefusal(error, { root, ports }) : asIoError(error);
  }
}

async function runInstall(session: InstallSession): Promise<InstallReport> {
  const { dryRun = false } = session.options;
  const since = session.ports.now().getTime();
  if (dryRun) {
    const recovery = await recoverIfFree(session.paths);
    if (recovery !== undefined) session.options.onEvent?.({ kind: 'recovered', outcome: recovery.outcome });
  } else if (isUnsettled(session.paths)) return applyInstall(session);
  // Without the lock first: most installs change nothing, and what is fetched to decide keeps nobody waiting.
  const prepared = await prepareUnlocked(session);
  if (prepared === 'uncertain' || (!dryRun && (changesAnything(prepared) || isUnsettled(session.paths)))) {
    return applyInstall(session);
  }
  for (const warning of (await reviewInstall(prepared, session)).warnings) session.warn(warning);
  const changes = [...prepared.plan.values()].filter(isChange).length;
  session.options.onEvent?.({ kind: 'resolved', packs: prepared.plan.size, changes });
  const report = describeInstall(prepared, session, { backups: [] });
  sealSettled({ prepared, report, since }, session);
  return report;
}

/** A refusal may come of another install that was seen half done: only the one under the lock counts. */
async function prepareUnlocked(session: InstallSession): Promise<PreparedInstall | 'uncertain'> {
  try {
    return await prepareInstall(session);
  } catch (error) {
    if (session.options.dryRun !== true && SkillsError.isKind(error, 'refused')) return 'uncertain';
    throw error;
  }
}
