import { join } from 'node:path';
import { withoutCredentials, type PackName } from '@skillpack/core';
import type { TextChange } from '../apply/journal.js';
import { kindOfEntry, statEntry } from '../disk/stat-entry.js';
import { readGoverningFiles, readInstalled, type RootState } from '../lock/root-state.js';
import { draftPlan, type DraftPlan, type PlaceKind, type PlannedPack } from '../plan/draft-plan.js';
import { originOf } from '../resolve/origin-of.js';
import type { Resolution } from '../resolve/resolve-packs.js';
import type { RootPaths } from '../root/root-paths.js';
import { linkFolders } from '../target/agent-folders.js';
import { planLinks, type LinkPlan } from '../target/plan-links.js';
import { findEdits, type SkillEdits } from '../verify/find-edits.js';
import { installedTexts } from './governing-texts.js';
import type { InstallOptions } from './install-options.js';
import type { PackOrigin } from './install-report.js';
import type { InstallSession } from './install-session.js';
import { resolveWants } from './resolve-wants.js';

/** Everything that an install is going to do, decided and not yet done. */
export interface PreparedInstall {
  readonly state: RootState;
  readonly plan: DraftPlan;
  readonly links: LinkPlan;
  readonly texts: readonly TextChange[];
  readonly written: ReadonlyMap<PackName, string>;
  /** What differs in the packs that were installed before. */
  readonly edits: ReadonlyMap<PackName, readonly SkillEdits[]>;
}

/** Decides what an install does to a root as it is at this moment. Changes nothing. @throws what deciding throws. */
export async function prepareInstall(session: InstallSession): Promise<PreparedInstall> {
  const { paths, options, aim } = session;
  const state: RootState = { ...readGoverningFiles(paths), ...readInstalled(paths) };
  const wants = await resolveWants(session, state);
  const edits = editsOf(state, paths);
  const plan = draftPlan({
    resolution: wants.resolution,
    receipts: state.receipts,
    lock: state.lock,
    places: placesOf(skillsOf(wants.resolution, state), paths),
    // Without a lock file nothing says that an installed pack is not wanted any more.
    prune: aim.specs.length === 0 && aim.moving !== 'all' && aim.moving.size === 0 && state.lock !== undefined,
    damaged: damagedPacks(edits, options),
  });
  const folders = linkFolders(state.project?.targets ?? [], paths.root.scope);
  const texts = installedTexts(
    wants,
    { files: state, paths },
    { frozen: options.frozen === true, save: options.save ?? true },
  );
  return { state, plan, links: planLinks(plan, folders, paths), texts, written: wants.written, edits };
}

/** Whether anything is left to do. */
export function changesAnything({ plan, links, texts, state }: PreparedInstall): boolean {
  if (texts.length > 0 || links.changes.length > 0) return true;
  return [...plan].some(([name, planned]) => isChange(planned) || recordDiffers(name, planned, { links, state }));
}

/** Whether a pack is added, updated, repaired or removed. */
export function isChange(planned: { readonly kind: string }): boolean {
  return planned.kind !== 'keep' && planned.kind !== 'unlocked';
}

/** Whether a pack has other links afterwards than its receipt says, or is locked from another place. */
export function recordDiffers(
  name: PackName,
  planned: PlannedPack,
  { links, state }: Pick<PreparedInstall, 'links' | 'state'>,
): boolean {
  if (planned.kind === 'keep' && movedFrom(planned) !== undefined) return true;
  const before = state.receipts.get(name)?.links ?? [];
  const after = links.links.get(name) ?? before;
  return before.toSorted().join('\n') !== after.join('\n');
}

/** A pack that is installed, and will be. */
export type PackBefore = Extract<PlannedPack, { readonly kind: 'keep' | 'repair' | 'update' }>;

/** Where a pack came from, when it comes from another place from now on. */
export function movedFrom({ candidate, receipt }: PackBefore): PackOrigin | undefined {
  const { kind, location } = originOf(candidate);
  const { source } = receipt;
  return kind !== source.kind || withoutCredentials(location) !== source.location ? source : undefined;
}

function skillsOf(resolution: Resolution, { receipts }: RootState): readonly string[] {
  return [
    ...[...resolution.values()].flatMap((candidate) => candidate.skills),
    ...[...receipts.values()].flatMap((receipt) => receipt.skills),
  ];
}

/** What stands where skills belong, as it is now. */
export function placesOf(skills: readonly string[], paths: RootPaths): ReadonlyMap<string, PlaceKind> {
  return new Map(
    skills.map((skill) => {
      const stats = statEntry(join(paths.skillsDir, skill));
      return [skill, stats === undefined ? 'absent' : kindOfEntry(stats)];
    }),
  );
}

function editsOf({ receipts }: RootState, paths: RootPaths): PreparedInstall['edits'] {
  return new Map([...receipts].map(([name, { skills }]) => [name, findEdits({ name, skills }, paths)]));
}

/**
 * The packs to install anew. What is only missing comes back by itself, since nobody loses anything by it; what a person
 * edited is in the way of a frozen install, and gives way to `replace`.
 */
function damagedPacks(
  edits: PreparedInstall['edits'],
  { replace = false, frozen = false }: InstallOptions,
): ReadonlySet<PackName> {
  const damaged = [...edits].filter(([, skills]) => {
    const edited = skills.some((skill) => skill.edited.length > 0);
    const lacking = skills.some((skill) => skill.lacking);
    if (replace) return skills.some(({ intact }) => !intact);
    return frozen ? edited || lacking : lacking && !edited;
  });
  return new Set(damaged.map(([name]) => name));
}
