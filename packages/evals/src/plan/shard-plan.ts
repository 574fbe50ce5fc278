import type { EvalResult } from '../results/eval-result.js';
import type { EvalPlan, EvalShard } from './eval-job.js';

/** Which part of a plan it is. */
export interface ShardOptions {
  /** From 1. */
  readonly index: number;
  readonly count: number;
  /**
   * Results of an earlier run, for how long each case takes. All machines have to be given the same ones.
   *
   * @default every trial takes as long as every other
   */
  readonly durations?: readonly Pick<EvalResult, 'suite' | 'case' | 'arm' | 'model' | 'spent'>[] | undefined;
}

/**
 * The part of a plan that one of several machines runs. All arms and models of one trial of a case are in one shard;
 * longest first, each goes where least is to do. The same plan and options give the same shards.
 *
 * @throws `USAGE` for an index that is none of the count.
 */
export function shardPlan(plan: EvalPlan, options: ShardOptions): EvalShard {
  void plan;
  void options;
  throw new Error('not yet');
}
