import type { EvalSuite } from '../case/eval-case.js';
import type { EvalPlan } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';
import type { ErrorCode } from '@skillpack/core';

/** A plan, and the suites that it was made of. */
export interface EvalWork {
  readonly suites: readonly EvalSuite[];
  readonly plan: EvalPlan;
}

/** What a run came to. */
export interface EvalRun {
  readonly plan: EvalPlan;
  /** One a job, in the order of the plan: of the jobs that were run now or before. Those that were not begun are missing. */
  readonly results: readonly EvalResult[];
  /** Of the results, how many an earlier run had left. */
  readonly reused: number;
  /** What ended it before its end: `BUDGET_EXHAUSTED`, `INTERRUPTED`. @default it came to its end */
  readonly stoppedBy?: { readonly code: ErrorCode; readonly message: string } | undefined;
}
