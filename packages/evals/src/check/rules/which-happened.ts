import type { RuleStep } from './rule-step.js';

/** Whether a step was done, and counts: what a run that was resumed left out is as if it had not been. */
export function happened({ given, lostAt }: RuleStep): boolean {
  return !given && lostAt === Infinity;
}

/**
 * Whether a step was done as far as anybody can be sure that it was not: of what a run left out, a script that was let run, or a
 * tool that was let be called, is not undone by that.
 */
export function mayHaveHappened({ given, lostAt, kind, effect }: RuleStep): boolean {
  if (given) return false;
  return lostAt === Infinity || (effect && (kind === 'run_script' || kind === 'call_tool'));
}
