import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BatchRequest, BatchResult } from './campaign-worker.js';

/** What a campaign is to do. */
export interface CampaignOptions {
  readonly targets: readonly string[];
  readonly milliseconds: number;
  /** Of every target's first batch; each further batch of the target adds one. */
  readonly seed: number;
  /** Most inputs of one target before it is another one's turn. Its first batches are smaller. */
  readonly batch: number;
  /** The folder for inputs that break a promise. @default the one that every test run reads */
  readonly keep?: string | undefined;
  readonly onFinding: (finding: CampaignFinding) => void;
  /** After every batch. */
  readonly onBatch?: (counts: ReadonlyMap<string, TargetCount>) => void;
}

/** A promise that was broken. */
export interface CampaignFinding {
  readonly target: string;
  readonly seed: number;
  /** Inputs of the batch at most; with the seed, it gives the same inputs again. */
  readonly runs: number;
  readonly why: string;
  /** Where the input is kept; `undefined` when it never came to an end. */
  readonly file: string | undefined;
}

/** What came of one target. */
export interface TargetCount {
  tried: number;
  accepted: number;
  findings: number;
}

// A batch takes a second or two; one that takes this long does not end.
const hangMilliseconds = 120_000;

/** Every target has been tried before one is tried for long. */
const firstBatch = 8;

/** A target, and the turns it has had. */
interface Turns {
  readonly target: string;
  batches: number;
  milliseconds: number;
}

/**
 * Fuzzes until the time is up, always the target that has had the least of it: all get the same time, however slow they
 * are, and every one a few inputs first. A batch that has begun is finished.
 *
 * @returns what came of each target. One with neither inputs nor findings was never reached.
 */
export async function runCampaign(options: CampaignOptions): Promise<ReadonlyMap<string, TargetCount>> {
  const counts = new Map(options.targets.map((name) => [name, { tried: 0, accepted: 0, findings: 0 }]));
  const turns = [...counts.keys()].map((target): Turns => ({ target, batches: 0, milliseconds: 0 }));
  let worker = await startWorker();
  const end = performance.now() + options.milliseconds;
  for (;;) {
    const started = performance.now();
    const turn = turns.toSorted((left, right) => left.milliseconds - right.milliseconds)[0];
    const count = counts.get(turn?.target ?? '');
    if (turn === undefined || count === undefined || started >= end) break;
    const { target } = turn;
    const seed = (options.seed + turn.batches) % 2 ** 31;
    const runs = Math.min(options.batch, firstBatch * 2 ** turn.batches);
    const result = await runBatch(worker, { target, seed, runs, keep: options.keep });
    turn.batches += 1;
    turn.milliseconds += performance.now() - started;
    if (result === undefined) {
      await worker.terminate();
      worker = await startWorker();
      count.findings += 1;
      const why = `It did not end within ${hangMilliseconds} ms.`;
      options.onFinding({ target, seed, runs, why, file: undefined });
      continue;
    }
    count.tried += result.tried;
    count.accepted += result.accepted;
    if (result.finding !== undefined) {
      count.findings += 1;
      options.onFinding({ target, seed, runs, ...result.finding });
    }
    options.onBatch?.(counts);
  }
  await worker.terminate();
  return counts;
}

/** A worker that has loaded all targets, which takes seconds that are no target's own. */
async function startWorker(): Promise<Worker> {
  // It inherits the flags under which Node runs the packages' sources.
  const worker = new Worker(join(import.meta.dirname, 'campaign-worker.ts'));
  await once(worker, 'message');
  return worker;
}

/** @returns `undefined` when the batch does not end. */
async function runBatch(worker: Worker, request: BatchRequest): Promise<BatchResult | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => resolve(undefined)), hangMilliseconds);
    const onMessage = (result: BatchResult) => settle(() => resolve(result));
    const onError = (error: Error) => settle(() => reject(error));
    function settle(answer: () => void): void {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('error', onError);
      answer();
    }
    worker.on('message', onMessage);
    worker.on('error', onError);
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(request);
  });
}
