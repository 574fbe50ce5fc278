import { isSkillName } from '@skillpack/core';
import type { EvalCase } from '../case/eval-case.js';
import type { ForeignValue } from './foreign-value.js';
import type { ImportContext } from './import-context.js';

import { importTriggerEntry, tagsOf } from './import-trigger-entry.js';
import type { SuiteParts } from './suite-parts.js';
import { firesOf } from './trigger-words.js';

/** Names of the list in a file that is an object. */
export const wrapperNames = [
  'queries',
  'trigger_evals',
  'triggerEvals',
  'trigger_eval',
  'cases',
  'evals',
  'items',
  'results',
] as const;

/** A list of queries, alone or in a wrapper: with a label each, or the skill that each wants. */
export function importTriggerSet(root: ForeignValue, context: ImportContext): SuiteParts {
  const list = root.list ? root : root.field(...wrapperNames);
  const about = root.field('skill_name', 'skillName', 'skill');
  root.field('schema_version', 'schemaVersion', 'version')?.take();
  const subject = subjectOnce(context, about);
  const cases = (list?.items() ?? []).flatMap(
    (entry) => importTriggerEntry(entry, context, { subject: subject.get }) ?? [],
  );
  const shared = tagsOf(root);
  return {
    skills: skillsOf(cases, subject.known()),
    cases: cases.map((each) => ({ ...each, tags: [...each.tags, ...shared] })),
  };
}

const polarityNames: Readonly<Record<string, boolean>> = {
  should_trigger: true,
  shouldTrigger: true,
  should_trigger_prompts: true,
  positive: true,
  positives: true,
  should_not_trigger: false,
  shouldNotTrigger: false,
  should_not_trigger_prompts: false,
  negative: false,
  negatives: false,
};

/** Whether a field of this name holds the queries that a skill is for (`true`), or those that it is not for. */
export function polarityOf(name: string): boolean | undefined {
  return Object.hasOwn(polarityNames, name) ? polarityNames[name] : firesOf(name);
}

/** Lists by what they say: those that want the skill and those that do not, or one list for each skill. */
export function importTriggerLists(root: ForeignValue, context: ImportContext): SuiteParts {
  const about = root.field('skill', 'skill_name', 'skillName');
  root.field('schema_version', 'version')?.take();
  const subject = subjectOnce(context, about);
  const inner = root.field('trigger_tests', 'triggerTests', 'triggers') ?? root;
  const shared = tagsOf(root);
  const cases = inner.fields().flatMap(([name, value]) => {
    const fires = polarityOf(name);
    if (fires !== undefined && value.list) return entriesOf(value, context, { subject: subject.get, fires });
    if (value === about) return [];
    return isSkillName(name) || name === 'none' ? casesOfSkill(name, value, context) : [];
  });
  return {
    skills: skillsOf(cases, subject.known()),
    cases: cases.map((each) => ({ ...each, tags: [...each.tags, ...shared] })),
  };
}

/** The list of one skill, or its two lists; those under `none` want no skill at all. */
function casesOfSkill(skill: string, value: ForeignValue, context: ImportContext): readonly EvalCase[] {
  if (value.list) {
    const cases = entriesOf(value, context, { subject: () => skill, fires: true });
    if (skill !== 'none') return cases;
    return cases.map((each) => ({ ...each, expected: { ...each.expected, skills: { none: true } } }));
  }
  return value.fields().flatMap(([name, list]) => {
    const fires = polarityOf(name);
    return fires === undefined ? [] : entriesOf(list, context, { subject: () => skill, fires });
  });
}

function entriesOf(
  list: ForeignValue,
  context: ImportContext,
  options: { readonly subject: () => string; readonly fires: boolean },
): readonly EvalCase[] {
  return list.items().flatMap((entry) => importTriggerEntry(entry, context, options) ?? []);
}

/** The skill of a file, asked for only where an entry needs it. */
function subjectOnce(context: ImportContext, about: ForeignValue | undefined) {
  let found = about === undefined ? undefined : context.subjectIfAny(about);
  return {
    get: () => (found ??= context.subject(undefined)),
    known: () => found,
  };
}

function skillsOf(cases: readonly EvalCase[], subject: string | undefined): readonly string[] {
  const wanted = cases.flatMap(({ expected: { skills } }) => [...(skills?.allOf ?? []), ...(skills?.anyOf ?? [])]);
  const named = [...(subject === undefined ? [] : [subject]), ...wanted];
  const kept = cases.flatMap(({ expected: { skills } }) => (skills?.none === true ? [] : (skills?.none ?? [])));
  return [...new Set(named.length === 0 ? kept : named)];
}
