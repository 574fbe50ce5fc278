import type { ActionRule, StepPattern } from '../../case/expectations.js';
import { keyOfBindings, TooManyWays, unbound, type Bindings } from './bindings.js';
import { describePattern } from './describe-pattern.js';
import { matchStep } from './match-step.js';
import { nameStep, nameSteps } from './name-step.js';
import type { RuleStep } from './rule-step.js';
import type { RuleVerdict } from './rule-verdict.js';
import { happened, mayHaveHappened } from './which-happened.js';

type RuleOf<Kind extends ActionRule['kind']> = ActionRule & { readonly kind: Kind };

/** It happens at least so often, with the same values for the same variables. */
export function checkOccurs({ step, atLeast }: RuleOf<'occurs'>, steps: readonly RuleStep[]): RuleVerdict {
  const most = mostOf(step, steps.filter(happened));
  const last = most.at(-1);
  const passed = most.length >= atLeast;
  if (passed)
    return {
      passed,
      evidence: last === undefined ? 'Nothing has to happen.' : `It happened: ${nameSteps(most)}.`,
      seq: last?.seq,
    };
  const evidence =
    last === undefined
      ? `There is no ${describePattern(step)} in the run${otherwise(step, steps)}.`
      : `It happened ${times(most.length)}: ${nameSteps(most)}.`;
  return { passed, evidence, seq: last?.seq };
}

/** It never happens; an attempt that was refused is one, too. */
export function checkForbidden({ step }: RuleOf<'forbidden'>, steps: readonly RuleStep[]): RuleVerdict {
  const found = steps.filter((one) => mayHaveHappened(one) && matchStep(step, one, unbound).length > 0);
  const [first] = found;
  if (first === undefined) return { passed: true, evidence: 'It never happened.' };
  return { passed: false, evidence: `It happened: ${nameSteps(found)}.`, seq: first.seq };
}

/** It happens no more often, whatever its variables stand for. */
export function checkAtMost({ step, most }: RuleOf<'at_most'>, steps: readonly RuleStep[]): RuleVerdict {
  const found = mostOf(step, steps.filter(mayHaveHappened));
  const surplus = found[most];
  if (surplus === undefined) return { passed: true, evidence: `It happened ${times(found.length)}.` };
  const evidence = `It happened ${times(found.length)}; ${nameStep(surplus)} is one too many.`;
  return { passed: false, evidence, seq: surplus.seq };
}

/** The steps that a pattern means, for those values of its variables for which there are most. */
function mostOf(pattern: StepPattern, steps: readonly RuleStep[]): readonly RuleStep[] {
  const ways = new Map<string, RuleStep[]>();
  for (const step of steps) {
    const keys = new Set(bindingsOf(pattern, step).map(keyOfBindings));
    for (const key of keys) {
      const known = ways.get(key);
      if (known === undefined) ways.set(key, [step]);
      else known.push(step);
      if (ways.size > mostWays) throw new TooManyWays();
    }
  }
  let most: readonly RuleStep[] = [];
  for (const found of ways.values()) if (found.length > most.length) most = found;
  return most;
}

const mostWays = 20_000;

function bindingsOf(pattern: StepPattern, step: RuleStep): readonly Bindings[] {
  return matchStep(pattern, step, unbound).flatMap(({ bindings }) => bindings);
}

/** What comes nearest: the same action, otherwise. */
function otherwise({ action }: StepPattern, steps: readonly RuleStep[]): string {
  if (action === undefined) return '';
  const near = steps.filter((step) => step.kind === action && happened(step));
  return near.length === 0 ? '' : `; there is ${nameSteps(near)}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
