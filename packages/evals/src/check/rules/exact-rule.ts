import type { StepPattern } from '../../case/expectations.js';
import { distinctBindings, unbound, type Bindings } from './bindings.js';
import { describePattern } from './describe-pattern.js';
import { matchStep } from './match-step.js';
import { nameStep, nameSteps } from './name-step.js';
import type { RuleStep } from './rule-step.js';
import type { RuleVerdict } from './rule-verdict.js';
import { happened } from './which-happened.js';

/** What counts only where the sequence names it: every run ends with an answer, and an approval is no action. */
const unlessNamed: ReadonlySet<RuleStep['kind']> = new Set(['final_answer', 'ask_user', 'update_plan', 'approval']);

/** The steps are all there is, in this order. */
export function checkExactly(patterns: readonly StepPattern[], all: readonly RuleStep[]): RuleVerdict {
  const named = new Set(patterns.map(({ action }) => action));
  const steps = all.filter((step) => happened(step) && (!unlessNamed.has(step.kind) || named.has(step.kind)));
  let ways: readonly Bindings[] = [unbound];
  for (const [at, step] of steps.entries()) {
    const pattern = patterns[at];
    if (pattern === undefined) {
      return {
        passed: false,
        evidence: `${nameStep(step)} is one step more than the ${patterns.length} there should be.`,
        seq: step.seq,
      };
    }
    const next = distinctBindings(
      ways.flatMap((way) => matchStep(pattern, step, way).flatMap(({ bindings }) => bindings)),
    );
    if (next.length === 0) {
      const wanted = describePattern(pattern, ways[0]);
      return { passed: false, evidence: `Step ${at + 1} should be ${wanted}; it is ${nameStep(step)}.`, seq: step.seq };
    }
    ways = next;
  }
  const missing = patterns[steps.length];
  const seq = steps.at(-1)?.seq;
  if (missing !== undefined) {
    const after = seq === undefined ? 'There is no' : `After ${nameSteps(steps.slice(-1))} there should be`;
    return {
      passed: false,
      evidence: `${after} ${describePattern(missing, ways[0])} (step ${steps.length + 1} of ${patterns.length}).`,
      seq,
    };
  }
  return { passed: true, evidence: steps.length === 0 ? 'There is none.' : `They are ${nameSteps(steps)}.`, seq };
}
