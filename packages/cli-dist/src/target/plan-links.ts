import { join, relative, sep } from 'node:path';
import type { InstallReceipt, PackName } from '@skillpack/core';
import { leadsTo } from '../apply/carry-out.js';
import type { LinkChange } from '../apply/journal.js';
import { hasRealParents, kindOfEntry, statEntry } from '../disk/stat-entry.js';
import type { InstallWarning } from '../install/install-report.js';
import type { DraftPlan, PlannedPack } from '../plan/draft-plan.js';
import type { RootPaths } from '../root/root-paths.js';
import { possibleLinkFolders, type LinkFolder } from './agent-folders.js';

/** What happens to the links of a root. */
export interface LinkPlan {
  readonly changes: readonly LinkChange[];
  /** The links that every pack has afterwards, relative to the root, as receipts list them. */
  readonly links: ReadonlyMap<PackName, readonly string[]>;
  readonly warnings: readonly InstallWarning[];
}

/** Decides which links are made and removed; whatever is no link of ours is left alone. */
export function planLinks(plan: DraftPlan, folders: readonly LinkFolder[], paths: RootPaths): LinkPlan {
  const { linkBase } = paths;
  if (linkBase === undefined) return { changes: [], links: new Map(), warnings: [] };
  const changes: LinkChange[] = [];
  const warnings: InstallWarning[] = [];
  const links = new Map<PackName, readonly string[]>();
  for (const [name, planned] of plan) {
    const wanted = skillsOf(planned).flatMap((skill) => folders.map((folder) => ({ skill, ...folder })));
    const kept: string[] = [];
    for (const { skill, folder, target } of wanted) {
      const path = `${folder}/${skill}`;
      const present = statEntry(join(linkBase, path));
      const ours = leadsTo(join(linkBase, path), join(paths.skillsDir, skill));
      if (present !== undefined && !ours) {
        const reason = `a ${kindOfEntry(present)} is there already`;
        warnings.push({ kind: 'link-blocked', target, path: join(linkBase, path), reason });
        continue;
      }
      if (!ours) changes.push({ kind: 'make', path, skill });
      kept.push(fromRoot(path, paths));
    }
    links.set(name, kept.toSorted());
    changes.push(...obsoleteLinks(planned, kept, paths));
  }
  return { changes, links, warnings };
}

/** Links that an earlier install made for skills or targets that are gone. */
export function obsoleteLinks(
  planned: PlannedPack | { readonly receipt: Pick<InstallReceipt, 'links' | 'skills'> },
  kept: readonly string[],
  paths: RootPaths,
): readonly LinkChange[] {
  const { linkBase } = paths;
  if (!('receipt' in planned) || linkBase === undefined) return [];
  const gone = planned.receipt.links.filter((link) => !kept.includes(link));
  return gone.flatMap((link): readonly LinkChange[] => {
    const path = relative(linkBase, join(paths.skillsDir, link)).split(sep).join('/');
    const skill = planned.receipt.skills.find((candidate) => path.endsWith(`/${candidate}`));
    return skill === undefined || path.startsWith('../') ? [] : [{ kind: 'remove', path, skill }];
  });
}

function skillsOf(planned: PlannedPack): readonly string[] {
  if ('candidate' in planned) return planned.candidate.skills;
  return planned.kind === 'unlocked' ? planned.receipt.skills : [];
}

/**
 * The links that lead to skills, wherever one may have been made, as receipts list them: what is known of them when the
 * receipt is lost.
 */
export function findLinks(skills: readonly string[], targets: readonly string[], paths: RootPaths): readonly string[] {
  const { linkBase, root } = paths;
  if (linkBase === undefined) return [];
  const folders = [...possibleLinkFolders(targets, root.scope)].filter(
    // A stranger's project may lead elsewhere on the way.
    (folder) => root.scope === 'user' || hasRealParents(linkBase, `${folder}/x`),
  );
  return folders
    .flatMap((folder) =>
      skills
        .filter((skill) => leadsTo(join(linkBase, folder, skill), join(paths.skillsDir, skill)))
        .map((skill) => fromRoot(`${folder}/${skill}`, paths)),
    )
    .toSorted();
}

function fromRoot(path: string, paths: RootPaths): string {
  return relative(paths.skillsDir, join(paths.linkBase ?? '', path))
    .split(sep)
    .join('/');
}
