import type { Digest } from '@skillpack/core';

/**
 * What a case is run with: the skills as they are; without the skills that the suite is about; or with those of an older
 * version.
 */
export type EvalArm = 'with_skill' | 'without_skill' | 'old_skill';

/** One trial that is to be run: plain data, so that it can be sent to another machine. */
export interface EvalJob {
  /**
   * Of all that its outcome depends on: the case and its files, the arm, the skills that are offered, the model, the
   * options, and the trial. What a trial of the kind `trigger` cannot see, as the texts of skills, is not in it.
   */
  readonly key: Digest;
  readonly suite: string;
  readonly case: string;
  readonly arm: EvalArm;
  /** As the one who runs it names it: `anthropic:claude-sonnet-4-5`. */
  readonly model: string;
  /** From 1. */
  readonly trial: number;
}

/** Everything that is to be run. */
export interface EvalPlan {
  readonly formatVersion: 1;
  /** Of the keys of all jobs, in order: two machines with the same plan have the same digest. */
  readonly digest: Digest;
  /**
   * As `PlanOptions` has it: with it, whoever runs the plan sees whether cases and skills are as they were. @default that is
   * not looked at
   */
  readonly variant?: string | undefined;
  /** Interleaved: the arms and models of one trial of a case stand next to each other. */
  readonly jobs: readonly EvalJob[];
}

/** The part of a plan that one machine runs. */
export interface EvalShard {
  readonly formatVersion: 1;
  readonly plan: Digest;
  /** From 1. */
  readonly index: number;
  readonly count: number;
  /** Of all jobs of the plan, in its order. */
  readonly jobs: readonly EvalJob[];
  /** Keys of those that this shard runs. All jobs of one trial of a case are in one shard. */
  readonly keys: readonly Digest[];
}
