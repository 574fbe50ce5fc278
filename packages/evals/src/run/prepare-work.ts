import { expectOptions, quoted, SkillsError, untilAborted, type Digest } from '@skillpack/core';
import type { EvalJob } from '../plan/eval-job.js';
import { expectNumber } from '../plan/expect-given.js';
import { expectJudge, expectPorts } from '../plan/expect-ports.js';
import { isOfJob } from '../plan/is-of-job.js';
import { planDigest } from '../plan/plan-digest.js';
import { repeatedJob } from '../plan/repeated-job.js';
import type { EvalResult, TrialSpent } from '../results/eval-result.js';
import { bareResult } from '../trial/bare-result.js';
import type { EvalPorts, OpenJob } from '../trial/eval-ports.js';
import { mayBeTriedAgain } from '../trial/judge-end.js';
import { OpenJobs } from '../trial/open-jobs.js';
import { tryTrial } from '../trial/run-trial.js';
import { addSpent } from '../trial/spent-of.js';
import type { EvalWork } from './eval-work.js';
import { expectWork } from './expect-work.js';
import { pauseBefore } from './pause-before.js';
import { pauseFor } from './pause-for.js';

/** What jobs are done with: all ports but the log. */
export type WorkPorts = Omit<EvalPorts, 'results'>;

/** How a job is done. */
export interface WorkOptions {
  /** How often a trial is begun again that failed for want of an infrastructure. @default 2 */
  readonly retries?: number | undefined;
  /** Told when a trial begins. */
  readonly onStart?: ((job: EvalJob) => void) | undefined;
}

/** Does one job to its end, its retries included. */
export type DoJob = (job: EvalJob, options: { readonly signal: AbortSignal }) => Promise<EvalResult>;

const mostRetries = 100;

/**
 * What a machine needs to do jobs of a plan: `runEvals` hands it to its executor, and whoever works for a queue makes it
 * from the same suites. What it returns throws `SHARD_MISMATCH` for a job that is not in the plan, and for one whose case,
 * skills or judge are not those that the plan was made of.
 *
 * @throws `USAGE` for options that make no sense, `SHARD_MISMATCH` for a plan that speaks of other suites, or is
 * not as it was made.
 */
export function prepareWork(work: EvalWork, ports: WorkPorts, options: WorkOptions = {}): DoJob {
  expectOptions(options, { of: 'prepareWork', names: { retries: true, onStart: true } });
  const { retries = 2, onStart } = options;
  const { suites, plan } = expectWork(work, 'prepareWork');
  expectPorts(ports, { of: 'prepareWork', needs: portNames });
  expectJudge(ports.judge, 'prepareWork');
  expectNumber(retries, 'retries', 'prepareWork');
  if (!Number.isInteger(retries) || retries < 0 || retries > mostRetries) {
    throw new SkillsError(
      'USAGE',
      `There cannot be ${retries} retries: it is a whole number from 0 to ${mostRetries}.`,
    );
  }
  const open = new OpenJobs(suites, { ...ports, variant: plan.variant });
  const luck = new Luck();
  const jobs = new Map<Digest, EvalJob>(plan.jobs.map((job) => [job.key, job]));
  const repeated = repeatedJob(plan.jobs);
  if (repeated !== undefined) throw notPlanned(repeated, 'it is twice in the plan');
  if (planDigest(plan.jobs, ports.sha256) !== plan.digest) {
    throw new SkillsError('SHARD_MISMATCH', 'The plan has other jobs than it was made of.', {
      hint: 'Plan anew; to run a part of a plan, shard it.',
      data: { plan: plan.digest },
    });
  }
  const stray = plan.jobs.find((job) => !open.has(job));
  if (stray !== undefined) throw notPlanned(stray, 'no suite has its case');
  return async (job, { signal }) => {
    if (!isOfJob(job, jobs.get(job.key))) throw notPlanned(job, 'the plan has no such trial');
    onStart?.(job);
    const opened = await openUnlessCancelled(open, job, signal);
    if ('outcome' in opened) return opened;
    const result = await doJob(opened, ports, { retries: luck.retriesOf(job, retries), signal });
    luck.note(result);
    return result;
  };
}

const portNames = ['registry', 'models', 'ground', 'clock', 'sha256'] as const;

/** A registry may never come to an end: whoever cancels does not wait for it. */
async function openUnlessCancelled(open: OpenJobs, job: EvalJob, signal: AbortSignal): Promise<OpenJob | EvalResult> {
  try {
    return await untilAborted(async () => open.open(job), signal);
  } catch (thrown) {
    const evalCase = open.caseOf(job);
    if (!signal.aborted || evalCase === undefined) throw thrown;
    const error = new SkillsError('INTERRUPTED', 'The trial was cancelled.', { cause: thrown });
    return bareResult({ job, case: evalCase }, { error, stopped: true, attempts: 1 });
  }
}

/** Errors of a model in a row, of as many trials, after which none is begun again: it is not by chance any more. */
const mostInARow = 5;

/** Knows which models have answered nobody for a while: to try each trial of theirs several times would take long, in vain. */
class Luck {
  readonly #inARow = new Map<string, number>();

  retriesOf({ model }: EvalJob, retries: number): number {
    return (this.#inARow.get(model) ?? 0) < mostInARow ? retries : 0;
  }

  note({ model, outcome }: EvalResult): void {
    this.#inARow.set(model, outcome === 'error' ? (this.#inARow.get(model) ?? 0) + 1 : 0);
  }
}

function notPlanned({ suite, case: id, trial }: EvalJob, why: string): SkillsError {
  return new SkillsError('SHARD_MISMATCH', `Trial ${trial} of ${quoted(`${suite}/${id}`)} cannot be run: ${why}.`, {
    hint: 'Plan anew, with the cases as they are.',
    data: { suite, case: id },
  });
}

interface DoOptions {
  readonly retries: number;
  readonly signal: AbortSignal;
}

async function doJob(open: OpenJob, ports: WorkPorts, { retries, signal }: DoOptions): Promise<EvalResult> {
  let before: TrialSpent | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const { result, error, unjudged } = await tryTrial(open, ports, { signal, attempt, judgeRetries: retries });
    const spent = before === undefined ? result.spent : addSpent(before, result.spent);
    const told: EvalResult = { ...result, spent };
    if (error === undefined || unjudged || attempt > retries || !mayBeTriedAgain(error) || signal.aborted) return told;
    const pause = pauseBefore(attempt, error);
    if (pause === undefined) return told;
    await pauseFor(ports.clock, pause, signal);
    // What failed is known; that it was cancelled while it waited changes nothing of it.
    if (signal.aborted) return told;
    before = spent;
  }
}
