import { expectOptions, SkillsError } from '@skillpack/core';
import { expectNumber } from '../plan/expect-given.js';
import type { EvalJob } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';
import type { EvalExecutor } from './eval-executor.js';

/** How many trials there are at the same time. */
export interface InProcessOptions {
  /** @default 4 */
  readonly concurrency?: number | undefined;
}

const mostAtOnce = 1_000;

/**
 * Does the jobs in this process, so many at a time, in their order. Once the signal aborts none is begun, and those under
 * way are waited for.
 *
 * @throws `USAGE` for a concurrency that is none.
 */
export function inProcess(options: InProcessOptions = {}): EvalExecutor {
  expectOptions(options, { of: 'inProcess', names: { concurrency: true } });
  const { concurrency = 4 } = options;
  expectNumber(concurrency, 'concurrency', 'inProcess');
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > mostAtOnce) {
    throw new SkillsError(
      'USAGE',
      `The concurrency is ${concurrency}; it has to be a whole number from 1 to ${mostAtOnce}.`,
    );
  }
  return {
    execute: (jobs, work, { signal }) => doJobs(jobs, work, { signal, concurrency }),
  };
}

type Work = (job: EvalJob, options: { readonly signal: AbortSignal }) => Promise<EvalResult>;

async function* doJobs(
  jobs: readonly EvalJob[],
  work: Work,
  { signal, concurrency }: { readonly signal: AbortSignal; readonly concurrency: number },
): AsyncGenerator<EvalResult, void> {
  const underWay = new Set<Promise<void>>();
  const done: EvalResult[] = [];
  const failures: unknown[] = [];
  let next = 0;
  // Whoever stops listening wants no more of it.
  const left = new AbortController();
  const both = AbortSignal.any([signal, left.signal]);
  const begin = (job: EvalJob): void => {
    const settle = async (): Promise<void> => {
      try {
        done.push(await work(job, { signal: both }));
      } catch (error) {
        failures.push(error);
      }
    };
    const task: Promise<void> = settle().finally(() => underWay.delete(task));
    underWay.add(task);
  };
  try {
    for (;;) {
      // What it came to may be a reason to begin nothing further.
      for (let result = done.shift(); result !== undefined; result = done.shift()) yield result;
      while (!signal.aborted && failures.length === 0 && underWay.size < concurrency) {
        const job = jobs[next];
        if (job === undefined) break;
        next += 1;
        begin(job);
      }
      if (underWay.size > 0) await Promise.race(underWay);
      else if (done.length === 0 && (next === jobs.length || signal.aborted || failures.length > 0)) break;
    }
  } finally {
    left.abort();
    await Promise.all(underWay);
  }
  if (failures.length > 0) throw failures[0];
}
