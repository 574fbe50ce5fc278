import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BatchRequest, BatchResult } from './campaign-worker.js';

/** What a campaign is to do. */
export interface CampaignOptions {
  readonly targets: readonly string[];
  readonly milliseconds: number;
  /** Of the first batch; each further round of all targets adds one. */
  readonly seed: number;
  /** Inputs of one target before it is the next one's turn. */
  readonly batch: number;
  /** The folder for inputs that break a promise. @default the one that every test run reads */
  readonly keep?: string | undefined;
  readonly onFinding: (finding: CampaignFinding) => void;
  /** After every round of all targets. */
  readonly onRound?: (seed: number, counts: ReadonlyMap<string, TargetCount>) => void;
}

/** A promise that was broken. */
export interface CampaignFinding {
  readonly target: string;
  /** Together with the size of a batch, it gives the same inputs again. */
  readonly seed: number;
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

/** Fuzzes all targets in turn until the time is up. A batch that has begun is finished. */
export async function runCampaign(options: CampaignOptions): Promise<ReadonlyMap<string, TargetCount>> {
  const counts = new Map(options.targets.map((name) => [name, { tried: 0, accepted: 0, findings: 0 }]));
  const end = performance.now() + options.milliseconds;
  let worker = startWorker();
  for (let round = 0; performance.now() < end; round += 1) {
    for (const [target, count] of counts) {
      if (performance.now() >= end) break;
      const seed = (options.seed + round) % 2 ** 31;
      const result = await runBatch(worker, { target, seed, runs: options.batch, keep: options.keep });
      if (result === undefined) {
        await worker.terminate();
        worker = startWorker();
        count.findings += 1;
        options.onFinding({ target, seed, why: `It did not end within ${hangMilliseconds} ms.`, file: undefined });
        continue;
      }
      count.tried += result.tried;
      count.accepted += result.accepted;
      if (result.finding === undefined) continue;
      count.findings += 1;
      options.onFinding({ target, seed, ...result.finding });
    }
    options.onRound?.((options.seed + round) % 2 ** 31, counts);
  }
  await worker.terminate();
  return counts;
}

function startWorker(): Worker {
  // It inherits the flags under which Node runs the packages' sources.
  return new Worker(join(import.meta.dirname, 'campaign-worker.ts'));
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
