import type { EvalExecutor } from './eval-executor.js';

/** How many trials there are at the same time. */
export interface InProcessOptions {
  /** @default 4 */
  readonly concurrency?: number | undefined;
}

/**
 * Does the jobs in this process, so many at a time, in their order. Once the signal aborts none is begun, and those under
 * way are waited for.
 *
 * @throws `USAGE` for a concurrency that is none.
 */
export function inProcess(options: InProcessOptions = {}): EvalExecutor {
  void options;
  throw new Error('not yet');
}
