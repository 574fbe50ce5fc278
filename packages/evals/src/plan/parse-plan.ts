import type { EvalPlan } from './eval-job.js';

/** @throws `INVALID_RESULTS`, or `UNSUPPORTED_FORMAT` for a plan of another version. */
export function parsePlan(text: string): EvalPlan {
  void text;
  throw new Error('not yet');
}

/** The plan as JSON with a final newline. The same plan gives the same text. */
export function formatPlan(plan: EvalPlan): string {
  void plan;
  throw new Error('not yet');
}
