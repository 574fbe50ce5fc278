import type { ActionRule, StepPattern } from '../../case/expectations.js';
import { unbound, type Bindings } from './bindings.js';
import { doneBefore } from './comes-after.js';
import { describePattern } from './describe-pattern.js';
import { Looks } from './looks.js';
import { matchStep, type StepMatch } from './match-step.js';
import { nameStep } from './name-step.js';
import type { RuleStep } from './rule-step.js';
import type { RuleVerdict } from './rule-verdict.js';
import { mayHaveHappened } from './which-happened.js';

type BeforeRule = ActionRule & { readonly kind: 'before' };

/**
 * Whenever `then` happens, `first` has been done before, with the same values for the same variables. What came first has
 * to have succeeded, unless the rule says otherwise. Of a selection of several skills, that holds for each of them.
 */
export function checkBefore(rule: BeforeRule, steps: readonly RuleStep[]): RuleVerdict {
  const { first, then } = rule;
  const found = steps.flatMap((step) => (concerns(rule, step) ? matchStep(then, step, unbound) : []));
  const candidates = steps.filter(({ kind }) => first.action === undefined || first.action === kind);
  const looks = new Looks(candidates);
  for (const match of found) {
    looks.through(match.bindings.length);
    if (findFirst(first, match, candidates) === undefined) return broken(first, match, candidates);
  }
  const last = found.at(-1);
  if (last === undefined) return { passed: true, evidence: `There is no ${describePattern(then)} in the run.` };
  const shown = findFirst(first, last, candidates);
  const before = shown === undefined ? '' : ` ${nameStep(shown)} came before ${nameStep(last.step)}.`;
  return {
    passed: true,
    evidence: `It holds for ${found.length === 1 ? 'the one step' : `all ${found.length} steps`}.${before}`,
    seq: last.step.seq,
  };
}

/** A yes is asked for by what needs it: what was not let be done needs none. */
function concerns({ first }: BeforeRule, step: RuleStep): boolean {
  return mayHaveHappened(step) && (first.action !== 'approval' || step.effect);
}

/** A step that came first, for one of the ways in which the other one is meant. */
function findFirst(first: StepPattern, then: StepMatch, steps: readonly RuleStep[]): RuleStep | undefined {
  const pattern = succeeding(first);
  return steps.find(
    (step) =>
      counts(step, then.step) &&
      then.bindings.some((bindings) =>
        matchStep(pattern, step, bindings).some((match) => doneBefore(match, then.step)),
      ),
  );
}

/** What was left out before counted for nothing by then; what was left out later still did. */
function counts({ lostAt }: RuleStep, { decided }: RuleStep): boolean {
  return lostAt > decided;
}

function succeeding(first: StepPattern): StepPattern {
  return { ...first, ok: first.ok ?? true };
}

function broken(first: StepPattern, then: StepMatch, steps: readonly RuleStep[]): RuleVerdict {
  // Of several ways in which it is meant, any says what is missing.
  const [bindings = unbound] = then.bindings;
  const missing = describePattern(first, bindings);
  const near = nearest(first, { broken: then, bindings, steps });
  return {
    passed: false,
    evidence: `Before ${nameStep(then.step)} there should have been ${missing}${near === undefined ? '.' : `: ${near}`}`,
    seq: then.step.seq,
  };
}

interface Missing {
  readonly broken: StepMatch;
  readonly bindings: Bindings;
  readonly steps: readonly RuleStep[];
}

/** What there was instead, if anything is like it. */
function nearest(first: StepPattern, { broken: { step: then }, bindings, steps }: Missing): string | undefined {
  const others = steps.filter((step) => step !== then);
  const meant = (pattern: StepPattern, values: Bindings): readonly StepMatch[] =>
    others.flatMap((step) => matchStep(pattern, step, values));
  const anyEnd = meant({ ...first, ok: undefined }, bindings);
  const before = anyEnd.filter((match) => doneBefore(match, then));
  const failed = before.find(({ part }) => part.ok !== (first.ok ?? true));
  if (failed !== undefined)
    return `${nameStep(failed.step)} came before, and ${failed.part.ok === true ? 'succeeded' : 'failed'}.`;
  const lost = before.find(({ step }) => !counts(step, then));
  if (lost !== undefined) return `${nameStep(lost.step)} came before, in what the run left out when it went on.`;
  const [late] = anyEnd;
  if (late !== undefined) {
    const { decided } = late.step;
    return decided < then.decided
      ? `${nameStep(late.step)} had begun, and was not done by then.`
      : `${nameStep(late.step)} came only later.`;
  }
  const other = meant(first, unbound).find(({ step }) => step.decided < then.decided);
  return other === undefined ? undefined : `there was only ${nameStep(other.step)}.`;
}
