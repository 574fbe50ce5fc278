import {
  quoted,
  SkillsError,
  suggestNames,
  type SkillEntry,
  type SkillIndex,
  type SkillRegistry,
} from '@skillpack/core';
import type { EvalCase, EvalSuite } from '../case/eval-case.js';
import type { EvalArm } from './eval-job.js';

/** Where skills come from. */
export interface OfferPorts {
  readonly registry: SkillRegistry;
  readonly oldRegistry?: SkillRegistry | undefined;
}

/** A skill that a case offers, and the registry that has it. */
export interface OfferedSkill {
  readonly entry: SkillEntry;
  readonly of: SkillRegistry;
  /** Whether it is the older version. */
  readonly old: boolean;
}

/**
 * The skills that a case offers in an arm, by name: those that it names, or all there are, and its distractors. Those that
 * the suite is about are left out `without_skill`, and are those of the older registry in `old_skill`.
 *
 * @throws `SKILL_NOT_FOUND` for one that is named and is not there; `USAGE` for the arm `old_skill` without a registry for it.
 */
export async function caseOffer(
  { suite, case: evalCase, arm }: { readonly suite: EvalSuite; readonly case: EvalCase; readonly arm: EvalArm },
  { registry, oldRegistry }: OfferPorts,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly OfferedSkill[]> {
  const index = await registry.index(options);
  const here = byName(index);
  const about = new Set(suite.skills.map(nfc));
  const where = `the case ${quoted(evalCase.id)} of ${quoted(suite.name)}`;
  const named = [...(evalCase.offer.skills ?? []), ...evalCase.offer.distractors, ...evalCase.offer.preload];
  for (const name of [...named, ...suite.skills]) if (!here.has(nfc(name))) throw notThere(name, where, index);
  const wanted = new Set([...(evalCase.offer.skills ?? here.keys()), ...named].map(nfc));
  const older = arm === 'old_skill' ? await olderSkills(oldRegistry, options) : undefined;
  const offered: OfferedSkill[] = [];
  for (const [name, entry] of here) {
    if (!wanted.has(name)) continue;
    if (!about.has(name) || arm === 'with_skill') offered.push({ entry, of: registry, old: false });
    else if (older !== undefined) {
      const old = older.skills.get(name);
      if (old === undefined) throw notOlder(entry.name, where);
      offered.push({ entry: old, of: older.registry, old: true });
    }
  }
  return offered;
}

async function olderSkills(
  registry: SkillRegistry | undefined,
  options: { readonly signal?: AbortSignal | undefined },
): Promise<{ readonly registry: SkillRegistry; readonly skills: ReadonlyMap<string, SkillEntry> }> {
  if (registry === undefined) {
    throw new SkillsError('USAGE', 'The arm old_skill has no older skills.', {
      hint: 'Name the folder that has the older version of them.',
    });
  }
  return { registry, skills: byName(await registry.index(options)) };
}

function byName({ skills }: SkillIndex): ReadonlyMap<string, SkillEntry> {
  return new Map(skills.map((entry) => [nfc(entry.name), entry]));
}

/** Names are compared as registries compare them. */
function nfc(name: string): string {
  return name.normalize('NFC');
}

/** A skill that cannot be read is not there either: then the reason is told. */
function notThere(name: string, where: string, { skills, problems }: SkillIndex): SkillsError {
  const near = suggestNames(
    name,
    skills.map((entry) => entry.name),
  );
  const refused = problems.find(({ location }) => location.replaceAll('\\', '/').split('/').includes(name));
  const hint =
    refused === undefined
      ? near.length === 0
        ? 'Nothing was run. Name a folder that has it.'
        : `Nothing was run. There is ${near.map((one) => quoted(one)).join(', ')}.`
      : `Nothing was run. ${refused.message}`;
  return new SkillsError('SKILL_NOT_FOUND', `There is no skill ${quoted(name)}, which ${where} speaks of.`, {
    hint,
    data: { skill: name, near },
  });
}

function notOlder(name: string, where: string): SkillsError {
  return new SkillsError('SKILL_NOT_FOUND', `There is no older version of ${quoted(name)}, which ${where} offers.`, {
    hint: 'Nothing was run. Leave out the arm old_skill, or take a folder that has it.',
    data: { skill: name },
  });
}
