import { foldPath, SkillsError, type InstallReceipt, type LockFile, type PackName } from '@skillpack/core';
import type { Candidate } from '../resolve/candidate.js';
import type { Resolution } from '../resolve/resolve-packs.js';

/** What stands where a skill belongs. */
export type PlaceKind = 'absent' | 'folder' | 'link' | 'file' | 'device';

/** Everything a plan is made from; nothing else is looked at. */
export interface PlanInput {
  readonly resolution: Resolution;
  readonly receipts: ReadonlyMap<PackName, InstallReceipt>;
  readonly lock: LockFile | undefined;
  /** By skill; a skill that is not in it was not looked at. */
  readonly places: ReadonlyMap<string, PlaceKind>;
  /** Whether installed packs that the lock file does not know are removed. */
  readonly prune: boolean;
  /** Packs of which an installed file differs, so that they are to be installed anew. */
  readonly damaged: ReadonlySet<PackName>;
}

/** What is to be done with one pack. */
export type PlannedPack =
  | { readonly kind: 'add'; readonly candidate: Candidate; readonly put: readonly string[] }
  /** `drop`: skills of the present version that the next one does not have. */
  | {
      readonly kind: 'update';
      readonly candidate: Candidate;
      readonly put: readonly string[];
      readonly drop: readonly string[];
      readonly receipt: InstallReceipt;
    }
  /** `put`: the skills that are missing or damaged; none where only the record has to be made anew. */
  | {
      readonly kind: 'repair';
      readonly candidate: Candidate;
      readonly put: readonly string[];
      readonly receipt: InstallReceipt;
    }
  | { readonly kind: 'keep'; readonly candidate: Candidate; readonly receipt: InstallReceipt }
  | { readonly kind: 'remove'; readonly receipt: InstallReceipt; readonly drop: readonly string[] }
  /** Installed, wanted by nobody, and left alone. */
  | { readonly kind: 'unlocked'; readonly receipt: InstallReceipt };

/** One entry a pack, by name. */
export type DraftPlan = ReadonlyMap<PackName, PlannedPack>;

/**
 * Decides what happens to every pack. Pure.
 *
 * @throws `NAME_COLLISION`, `FOLDER_NOT_OWNED`, `INTEGRITY_MISMATCH`.
 */
export function draftPlan(input: PlanInput): DraftPlan {
  const names = [...new Set([...input.resolution.keys(), ...input.receipts.keys()])].toSorted();
  const plan = new Map(names.map((name) => [name, planPack(name, input)]));
  for (const [name, candidate] of input.resolution) checkIntegrity(name, candidate, input.lock);
  checkCollisions(plan);
  checkPlaces(plan, input.places);
  return plan;
}

function planPack(name: PackName, input: PlanInput): PlannedPack {
  const candidate = input.resolution.get(name);
  const receipt = input.receipts.get(name);
  if (candidate === undefined) {
    if (receipt === undefined) throw new Error(`${name} is neither wanted nor installed`);
    // Locked so far, and now wanted by nobody: it was a dependency.
    const orphan = input.lock?.packs[name] !== undefined;
    if (orphan || input.prune) return { kind: 'remove', receipt, drop: receipt.skills };
    return { kind: 'unlocked', receipt };
  }
  if (receipt === undefined) return { kind: 'add', candidate, put: candidate.skills };
  if (receipt.version !== candidate.version || receipt.treeDigest !== candidate.treeDigest) {
    const drop = receipt.skills.filter((skill) => !candidate.skills.includes(skill));
    return { kind: 'update', candidate, put: candidate.skills, drop, receipt };
  }
  const damaged = input.damaged.has(name);
  const put = candidate.skills.filter((skill) => damaged || input.places.get(skill) === 'absent');
  // The same content in another archive: what is recorded of it has to be proved by that.
  const { source } = candidate;
  const proved = receipt.integrity === (source.kind === 'folder' ? undefined : source.integrity);
  return put.length === 0 && proved
    ? { kind: 'keep', candidate, receipt }
    : { kind: 'repair', candidate, put, receipt };
}

function checkIntegrity(name: PackName, candidate: Candidate, lock: LockFile | undefined): void {
  const entry = lock?.packs[name];
  // What a path or a URL leads to may change under one version; what a registry has published may not.
  if (entry?.source !== 'registry' || candidate.source.kind !== 'registry') return;
  if (entry.version !== candidate.version || entry.treeDigest === candidate.treeDigest) return;
  throw new SkillsError(
    'INTEGRITY_MISMATCH',
    `${name}@${candidate.version} has the tree digest ${candidate.treeDigest} in ${candidate.source.registry}, but the lock file has ${entry.treeDigest}.`,
    {
      hint: 'A published version never changes. Nothing was installed; tell whoever runs the registry.',
      data: { name, version: candidate.version, expected: entry.treeDigest, actual: candidate.treeDigest },
    },
  );
}

/** The skills that a pack has when the plan is carried out. */
export function skillsAfter(planned: PlannedPack): readonly string[] {
  switch (planned.kind) {
    case 'add':
    case 'update':
    case 'repair':
    case 'keep':
      return planned.candidate.skills;
    case 'unlocked':
      return planned.receipt.skills;
    case 'remove':
      return [];
  }
}

function checkCollisions(plan: DraftPlan): void {
  const owners = new Map<string, Ownership>();
  for (const [name, planned] of plan) {
    const { version } = 'candidate' in planned ? planned.candidate : planned.receipt;
    for (const skill of skillsAfter(planned)) {
      const other = owners.get(foldPath(skill));
      const ownership = { skill, name, owner: `${name}@${version}`, installed: 'receipt' in planned };
      if (other !== undefined) throw collision(ownership, other);
      owners.set(foldPath(skill), ownership);
    }
  }
}

interface Ownership {
  readonly skill: string;
  readonly name: PackName;
  readonly owner: string;
  readonly installed: boolean;
}

function collision(one: Ownership, other: Ownership): SkillsError {
  const same = one.skill === other.skill;
  const what = same
    ? `a skill named ${one.skill}`
    : `a skill, ${other.skill} and ${one.skill}, that are one folder on some systems`;
  const present = [other, one].filter(({ installed }) => installed).map(({ name }) => `\`skills uninstall ${name}\``);
  return new SkillsError('NAME_COLLISION', `${other.owner} and ${one.owner} both bring ${what}.`, {
    hint:
      present.length === 0
        ? 'Ask for one of them alone, or for a version without the skill.'
        : `Run ${present.join(' or ')}, or ask for a version without the skill.`,
    data: { skill: one.skill, owners: [other.owner, one.owner] },
  });
}

/** The skills whose folders a plan changes. */
export function touchedSkills(planned: PlannedPack): readonly string[] {
  return [...('put' in planned ? planned.put : []), ...('drop' in planned ? planned.drop : [])];
}

/**
 * A folder that no pack owns is never written to, whatever is in it.
 *
 * @throws `FOLDER_NOT_OWNED`.
 */
export function checkPlaces(plan: DraftPlan, places: PlanInput['places']): void {
  const owned = new Set([...plan.values()].flatMap((planned) => ('receipt' in planned ? planned.receipt.skills : [])));
  for (const [name, planned] of plan) {
    for (const skill of touchedSkills(planned)) {
      const place = places.get(skill) ?? 'absent';
      if (place === 'absent' || (place === 'folder' && owned.has(skill))) continue;
      // A skill to be dropped that is a stranger's file or link now: it is his, and stays.
      if ('drop' in planned && planned.drop.includes(skill)) continue;
      // A link, or a file, where a skill of ours was: what it leads to is a person's, and what was installed is gone.
      const lost = place !== 'folder' && owned.has(skill);
      throw new SkillsError(
        'FOLDER_NOT_OWNED',
        lost
          ? `A ${place} stands in the place of the skill ${skill} of ${name}.`
          : `${name} brings the skill ${skill}, but a ${place} that no pack owns is in its place.`,
        {
          hint: lost
            ? `Remove the ${place} ${skill}, then run \`skills install\`: the skill comes back.`
            : `Move ${skill} away, then run it again.`,
          data: { name, skill, place },
        },
      );
    }
  }
}
