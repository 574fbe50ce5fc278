import { join } from 'node:path';
import type { PackName } from '@skillpack/core';
import type { LinkChange } from '../apply/journal.js';
import type { PlannedPack } from '../plan/draft-plan.js';
import type { Candidate } from '../resolve/candidate.js';
import type { InstalledBefore, InstallReport, PackChange } from './install-report.js';
import type { InstallSession } from './install-session.js';
import { movedFrom, type PackBefore, type PreparedInstall } from './prepare-install.js';
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
    links: describeLinks(prepared, session),
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
    case 'add':
      return [{ kind: 'add', ...installed(planned.candidate, needs) }];
    case 'keep':
      return [{ kind: 'keep', ...installed(planned.candidate, needs), ...moved(planned) }];
    case 'repair': {
      // The same files from elsewhere: none of them was missing, it is only recorded anew.
      const kind = planned.put.length === 0 && movedFrom(planned) !== undefined ? 'keep' : 'repair';
      return [{ kind, ...installed(planned.candidate, needs), ...moved(planned) }];
    }
    case 'update': {
      const { candidate, receipt, drop } = planned;
      const change = { from: receipt.version, removedSkills: drop, ...moved(planned) };
      return [{ kind: 'update', ...installed(candidate, needs), ...change }];
    }
    case 'remove':
      return [{ kind: 'remove', name, version: planned.receipt.version, skills: planned.receipt.skills }];
    case 'unlocked':
      return [];
  }
}

function moved(planned: PackBefore): Pick<InstalledBefore, 'movedFrom'> {
  const before = movedFrom(planned);
  return before === undefined ? {} : { movedFrom: before };
}

function describeLinks({ links }: PreparedInstall, { paths }: InstallSession): InstallReport['links'] {
  const of = (wanted: LinkChange['kind']): readonly string[] =>
    links.changes.flatMap(({ kind, path }) => (kind === wanted ? [join(paths.linkBase ?? '', path)] : [])).toSorted();
  return { made: of('make'), removed: of('remove') };
}

function installed(candidate: Candidate, needs: Needs) {
  const { name, version, skills, treeDigest } = candidate;
  return { name, version, skills, treeDigest, origin: originOf(candidate), neededBy: needs.get(name) ?? [] };
}
