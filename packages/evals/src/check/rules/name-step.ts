import type { RuleStep } from './rule-step.js';

/** A step as evidence names it: `#14 (run_script pdf scripts/pdf.mjs)`. */
export function nameStep({ seq, label }: Pick<RuleStep, 'seq' | 'label'>): string {
  return `#${seq} (${label})`;
}

/** Several of them, those in the middle left out where there are many. */
export function nameSteps(steps: readonly RuleStep[]): string {
  const most = 5;
  const named = steps.slice(0, most).map(nameStep);
  const more = steps.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
