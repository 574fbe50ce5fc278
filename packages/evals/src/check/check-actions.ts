import type { RunEvent } from '@skillpack/core';
import type { ActionRule } from '../case/expectations.js';
import type { CheckResult } from './check-result.js';
import { makeCheck } from './make-check.js';
import { checkAnyOrder } from './rules/any-order-rule.js';
import { checkBefore } from './rules/before-rule.js';
import { TooManyWays } from './rules/bindings.js';
import { checkAtMost, checkForbidden, checkOccurs } from './rules/count-rule.js';
import { describeRule } from './rules/describe-rule.js';
import { checkExactly } from './rules/exact-rule.js';
import { checkInOrder } from './rules/in-order-rule.js';
import { readRuleSteps } from './rules/read-rule-steps.js';
import type { RuleStep } from './rules/rule-step.js';
import type { RuleVerdict } from './rules/rule-verdict.js';

/**
 * Holds a run to rules on its actions, one result a rule, in their order. One that fails names the step that breaks it
 * (`seq`), and says what should have come before it, or what was missing. A rule whose variables could stand for more than
 * can be looked at is not judged.
 *
 * @param events the whole record, with child runs and what a resumed run left out.
 */
export function checkActions(rules: readonly ActionRule[], events: readonly RunEvent[]): readonly CheckResult[] {
  if (rules.length === 0) return [];
  const steps = readRuleSteps(events);
  return rules.map((rule) => checkRule(rule, steps));
}

function checkRule(rule: ActionRule, steps: readonly RuleStep[]): CheckResult {
  const about = { kind: 'actions', text: describeRule(rule) } as const;
  try {
    const { passed, evidence, seq } = judgeRule(rule, steps);
    return makeCheck({ ...about, verdict: passed ? 'passed' : 'failed', evidence, seq });
  } catch (error) {
    if (!(error instanceof TooManyWays)) throw error;
    return makeCheck({ ...about, verdict: 'not_judged', evidence: error.message });
  }
}

function judgeRule(rule: ActionRule, steps: readonly RuleStep[]): RuleVerdict {
  switch (rule.kind) {
    case 'occurs':
      return checkOccurs(rule, steps);
    case 'forbidden':
      return checkForbidden(rule, steps);
    case 'at_most':
      return checkAtMost(rule, steps);
    case 'before':
      return checkBefore(rule, steps);
    case 'sequence':
      if (rule.mode === 'in_order') return checkInOrder(rule.steps, steps);
      return rule.mode === 'any_order' ? checkAnyOrder(rule.steps, steps) : checkExactly(rule.steps, steps);
  }
}
