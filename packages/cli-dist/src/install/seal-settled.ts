import { sealInstall } from '../seal/seal-install.js';
import type { InstallReport } from './install-report.js';
import type { InstallSession } from './install-session.js';
import type { PreparedInstall } from './prepare-install.js';

/** An install that has nothing to do. */
export interface NothingToDo {
  readonly prepared: PreparedInstall;
  readonly report: InstallReport;
  /** When it began to look at the root: milliseconds since 1970. */
  readonly since: number;
}

/**
 * Has the next install find out sooner that there is nothing to do, where that depends on the root alone: not on a
 * folder or an archive that is looked at anew each time, nor on a registry's answer.
 */
export function sealSettled({ prepared, report, since }: NothingToDo, session: InstallSession): void {
  const { aim, documents, paths } = session;
  const { dryRun = false, frozen = false, replace = false } = session.options;
  const { seals } = session.ports;
  if (seals === undefined || dryRun || aim.specs.length > 0 || aim.moving === 'all' || aim.moving.size > 0) return;
  if (report.warnings.length > 0 || documents.known.size > 0) return;
  const packs = report.changes.flatMap((change) => {
    if (change.kind !== 'keep' || change.origin.kind === 'file' || change.origin.kind === 'folder') return [];
    const { kind: _, ...pack } = change;
    return [pack];
  });
  if (packs.length === 0 || packs.length !== report.changes.length) return;
  const links = [...prepared.links.links.values()].flat();
  sealInstall({ subject: { root: paths.root, frozen, replace }, paths, packs, links, since }, seals);
}
