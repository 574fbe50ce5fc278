import type { ActionRule } from '../../case/expectations.js';
import { describePattern } from './describe-pattern.js';

/** What a rule asks for, in a sentence. */
export function describeRule(rule: ActionRule): string {
  switch (rule.kind) {
    case 'occurs':
      return `${describePattern(rule.step)} happens${rule.atLeast === 1 ? '' : ` at least ${rule.atLeast} times`}`;
    case 'forbidden':
      return `${describePattern(rule.step)} never happens`;
    case 'at_most':
      return `${describePattern(rule.step)} happens at most ${rule.most === 1 ? 'once' : `${rule.most} times`}`;
    case 'before':
      return `${describePattern(rule.first)} comes before ${describePattern(rule.then)}`;
    case 'sequence': {
      const steps = rule.steps.map((step) => describePattern(step));
      if (rule.mode === 'any_order') return `in any order: ${steps.join(', ')}`;
      if (steps.length === 0) return rule.mode === 'exact' ? 'nothing is done' : 'nothing has to be done';
      return `${rule.mode === 'exact' ? 'exactly' : 'in order'}: ${steps.join(', then ')}`;
    }
  }
}
