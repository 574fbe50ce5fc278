import { visibleText, type RunEvent } from '@skillpack/core';
import type { ExpectedSkills } from '../case/expectations.js';
import type { CheckResult } from './check-result.js';
import { chosenSkills, givenSkills, isCalled, type ChosenSkill } from './chosen-skills.js';
import { makeCheck } from './make-check.js';

/**
 * Holds the choice of skills to what is expected of it: one result for each skill that is wanted in any case, and one for
 * each other thing. A skill that was there from the beginning counts as used, and never as chosen in vain.
 */
export function checkSkills(expected: ExpectedSkills, events: readonly RunEvent[]): readonly CheckResult[] {
  const chosen = chosenSkills(events);
  const used = [...givenSkills(events), ...chosen];
  const { anyOf = [], allOf = [], none, others = true } = expected;
  return [
    ...(anyOf.length === 0 ? [] : [checkAnyOf(anyOf, used)]),
    ...allOf.map((name) => checkAnyOf([name], used)),
    ...(none === undefined ? [] : [checkNone(none, chosen)]),
    ...(others ? [] : [checkOthers([...anyOf, ...allOf], chosen)]),
  ];
}

function checkAnyOf(names: readonly string[], used: readonly ChosenSkill[]): CheckResult {
  const found = used.find((skill) => names.some((name) => isCalled(skill, name)));
  const text = names.length === 1 ? `the skill ${listOf(names)} is used` : `one of the skills ${listOf(names)} is used`;
  return resultOf(text, { passed: found !== undefined, used, seq: found?.seq ?? used.at(0)?.seq });
}

function checkNone(none: true | readonly string[], chosen: readonly ChosenSkill[]): CheckResult {
  const found = chosen.find((skill) => none === true || none.some((name) => isCalled(skill, name)));
  const text = none === true ? 'no skill is used' : `none of the skills ${listOf(none)} is used`;
  return resultOf(text, { passed: found === undefined, used: chosen, seq: found?.seq });
}

function checkOthers(named: readonly string[], chosen: readonly ChosenSkill[]): CheckResult {
  const found = chosen.find((skill) => !named.some((name) => isCalled(skill, name)));
  const text = named.length === 0 ? 'no skill is used' : `no skill but ${listOf(named)} is used`;
  return resultOf(text, { passed: found === undefined, used: chosen, seq: found?.seq });
}

interface Found {
  readonly passed: boolean;
  readonly used: readonly ChosenSkill[];
  readonly seq: number | undefined;
}

function resultOf(text: string, { passed, used, seq }: Found): CheckResult {
  const names = used.map((skill) => skill.names[0] ?? '');
  const evidence = names.length === 0 ? 'No skill was used.' : `Used: ${listOf(names)}.`;
  return makeCheck({ kind: 'skills', text, verdict: passed ? 'passed' : 'failed', evidence, seq });
}

function listOf(names: readonly string[]): string {
  return names.map((name) => visibleText(name)).join(', ');
}
