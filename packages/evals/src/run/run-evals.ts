import type { EvalPorts } from '../trial/eval-ports.js';
import type { RunEvalsOptions } from './eval-options.js';
import type { EvalRun, EvalWork } from './eval-work.js';

/**
 * Runs a plan: each of its jobs that has no result in the log yet, or one that was an `error` or was `stopped`. Each result
 * is in the log before the next thing is told of it. Once a budget is spent nothing is begun any more; once it is
 * cancelled, what is under way is ended, too: the log stays whole, and running the same plan again goes on from there.
 *
 * @throws `USAGE` for options that make no sense; `SHARD_MISMATCH` for a shard of another plan, and for a plan of other
 * suites; what the log, the executor and `onResult` throw.
 */
export async function runEvals(work: EvalWork, ports: EvalPorts, options: RunEvalsOptions = {}): Promise<EvalRun> {
  void work;
  void ports;
  void options;
  throw new Error('not yet');
}
