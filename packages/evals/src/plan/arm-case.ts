import type { EvalCase, EvalSuite } from '../case/eval-case.js';
import type { ActionRule, StepPattern } from '../case/expectations.js';
import type { EvalArm } from './eval-job.js';

/**
 * The case as an arm runs it. Without the skills that the suite is about, nothing is expected of them: what is left is
 * what a person would hold the work to.
 */
export function armCase(evalCase: EvalCase, suite: Pick<EvalSuite, 'skills'>, arm: EvalArm): EvalCase {
  if (arm !== 'without_skill') return evalCase;
  const absent = new Set(suite.skills.map((name) => name.normalize('NFC')));
  const { expected, offer } = evalCase;
  return {
    ...evalCase,
    offer: { ...offer, preload: offer.preload.filter((name) => !absent.has(name.normalize('NFC'))) },
    expected: {
      ...expected,
      skills: undefined,
      actions: expected.actions.filter((rule) => !stepsOf(rule).some((step) => needsOne(step, absent))),
    },
  };
}

function stepsOf(rule: ActionRule): readonly StepPattern[] {
  switch (rule.kind) {
    case 'occurs':
    case 'forbidden':
    case 'at_most':
      return [rule.step];
    case 'before':
      return [rule.first, rule.then];
    case 'sequence':
      return rule.steps;
  }
}

/** Whether a step is one of a skill that is not there; a variable may stand for any other. */
function needsOne({ skill }: StepPattern, absent: ReadonlySet<string>): boolean {
  if (skill === undefined || skill.startsWith('$')) return false;
  const parts = skill.normalize('NFC').split('*');
  return [...absent].some((name) => fits(name, parts));
}

/** Whether the parts stand in the name in this order, with anything between them: in linear time. */
function fits(name: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
