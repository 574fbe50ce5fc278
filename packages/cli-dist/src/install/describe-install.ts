import type { PackName } from '@skillpack/core';
import type { PlannedPack } from '../plan/draft-plan.js';
import type { Candidate } from '../resolve/candidate.js';
import type { InstallReport, PackChange } from './install-report.js';
import type { InstallSession } from './install-session.js';
import { movedFrom, type PreparedInstall } from './prepare-install.js';
import { originOf } from '../resolve/origin-of.js';

/** What an install did, or would do. */
export function describeInstall(
  prepared: PreparedInstall,
  session: InstallSession,
  { backups }: Pick<InstallReport, 'backups'>,
): InstallReport {
  const { plan, texts } = prepared;
  const needs = neededBy(plan);
  return {
    root: session.paths.skillsDir,
    dryRun: session.options.dryRun === true,
    changes: [...plan].flatMap(([name, planned]) => describeChange(name, planned, needs)),
    warnings: session.warnings,
    backups,
    downloaded: session.downloaded,
    saved: {
      projectFile: texts.some(({ file }) => file === 'project'),
      lockFile: texts.some(({ file }) => file === 'lock'),
    },
  };
}

type Needs = ReadonlyMap<PackName, readonly string[]>;

function neededBy(plan: PreparedInstall['plan']): Needs {
  const needs = new Map<PackName, string[]>();
  for (const planned of plan.values()) {
    if (!('candidate' in planned)) continue;
    const { name, version, dependencies } = planned.candidate;
    for (const dependency of Object.keys(dependencies) as PackName[]) {
      // keys of a record of pack names
      needs.set(dependency, [...(needs.get(dependency) ?? []), `${name}@${version}`]);
    }
  }
  return needs;
}

function describeChange(name: PackName, planned: PlannedPack, needs: Needs): readonly PackChange[] {
  switch (planned.kind) {
    case 'keep': {
      const before = movedFrom(planned);
      const moved = before === undefined ? {} : { movedFrom: before };
      return [{ kind: 'keep', ...installed(planned.candidate, needs), ...moved }];
    }
    case 'add':
    case 'repair':
      return [{ kind: planned.kind, ...installed(planned.candidate, needs) }];
    case 'update': {
      const { candidate, receipt, drop } = planned;
      return [{ kind: 'update', ...installed(candidate, needs), from: receipt.version, removedSkills: drop }];
    }
    case 'remove':
      return [{ kind: 'remove', name, version: planned.receipt.version, skills: planned.receipt.skills }];
    case 'unlocked':
      return [];
  }
}

function installed(candidate: Candidate, needs: Needs) {
  const { name, version, skills, treeDigest } = candidate;
  return { name, version, skills, treeDigest, origin: originOf(candidate), neededBy: needs.get(name) ?? [] };
}
