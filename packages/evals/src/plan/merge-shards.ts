import type { EvalResult } from '../results/eval-result.js';
import type { EvalPlan, EvalShard } from './eval-job.js';

/** A shard, and what came of it. */
export interface ShardResults {
  readonly shard: EvalShard;
  /** As its log has them: of several of one key, the last one counts. */
  readonly results: readonly EvalResult[];
}

/**
 * Makes one run of all shards of a plan. Nothing is left out in silence: what is not all of it is refused.
 *
 * @returns the results in the order of the plan, one a job.
 * @throws `SHARD_MISMATCH` for a shard that is missing, there twice, or of another plan; for a job that is in no shard or
 * in two; for a job without a result; and for a result of a job that is not in its shard.
 */
export function mergeShards(parts: readonly ShardResults[]): {
  readonly plan: EvalPlan;
  readonly results: readonly EvalResult[];
} {
  void parts;
  throw new Error('not yet');
}
