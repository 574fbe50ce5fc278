import type { RuleStep, StepPart } from './rule-step.js';

/** A part of a step. */
export interface PlacedPart {
  readonly step: RuleStep;
  readonly part: StepPart;
  /** Among the parts of the step. */
  readonly place: number;
}

/**
 * Whether something had been done when a step was decided on; of a yes, when the step could begin to take effect. What goes
 * on at the same time was not.
 */
export function doneBefore(first: { readonly step: RuleStep; readonly part: StepPart }, then: RuleStep): boolean {
  return first.part.until < (first.step.kind === 'approval' ? then.effective : then.decided);
}

/** As `doneBefore`; the skills of one selection come one after another. */
export function comesAfter(next: PlacedPart, last: PlacedPart): boolean {
  return next.step === last.step ? next.place > last.place : doneBefore(last, next.step);
}
