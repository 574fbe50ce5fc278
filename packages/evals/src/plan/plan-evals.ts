import type { SkillRegistry, Sha256 } from '@skillpack/core';
import type { EvalSuite } from '../case/eval-case.js';
import type { Judge } from '../judge/judge.js';
import type { PlanOptions } from '../run/eval-options.js';
import type { EvalPlan } from './eval-job.js';

/** What a plan is made with. */
export interface PlanPorts {
  readonly registry: SkillRegistry;
  /** @default there is no arm `old_skill` */
  readonly oldRegistry?: SkillRegistry | undefined;
  readonly sha256: Sha256;
  /** @default nobody judges */
  readonly judge?: Pick<Judge, 'name'> | undefined;
}

/**
 * Makes a job of each case, arm, model and trial. Trials come one after another, so that a budget that ends it early has
 * seen every case before it sees one twice. Arms that show nothing are left out: cases of the kind `trigger` have no arm
 * `without_skill`, and a suite that names no skills has none but `with_skill`.
 *
 * @throws `INVALID_CASE` for suites that contradict themselves; `SKILL_NOT_FOUND` for a skill that is not in the catalogue;
 * `USAGE` for options that make no sense, and where nothing is left to run; what the registry throws.
 */
export async function planEvals(
  suites: readonly EvalSuite[],
  ports: PlanPorts,
  options: PlanOptions,
): Promise<EvalPlan> {
  void suites;
  void ports;
  void options;
  throw new Error('not yet');
}
