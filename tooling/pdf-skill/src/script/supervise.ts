import { Worker } from 'node:worker_threads';
import type { Command } from './command.js';
import { Failure, type FailureCode } from './failure.js';
import type { InputFile } from './open-document.js';
import type { JobResult } from './run-job.js';

/** What the worker is given. */
export interface Job {
  readonly command: Command;
  readonly files: readonly InputFile[];
}

/** What it answers. */
export type Answer =
  | { readonly kind: 'done'; readonly result: JobResult }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly message: string; readonly hint: string }
  | { readonly kind: 'defect'; readonly message: string };

const maxHeapMegabytes = 1024;
const maxMemoryBytes = 1.5 * 1024 ** 3;

/**
 * Runs a job in a thread of its own, which a document can neither keep busy beyond `seconds` nor make eat all memory.
 *
 * @throws what the job found wrong, `TIMEOUT`, `OUT_OF_MEMORY`.
 */
export async function superviseJob(
  job: Job,
  script: URL,
  { seconds }: { readonly seconds: number },
): Promise<JobResult> {
  const worker = new Worker(script, {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    // What a library prints belongs neither to the result nor to the errors.
    stdout: true,
    stderr: true,
  });
  const timers: NodeJS.Timeout[] = [];
  try {
    return await new Promise<JobResult>((resolve, reject) => {
      timers.push(setTimeout(() => reject(timedOut(seconds)), seconds * 1000));
      timers.push(setInterval(() => process.memoryUsage.rss() > maxMemoryBytes && reject(outOfMemory()), 100));
      worker.on('message', (answer: Answer) => {
        if (answer.kind === 'done') resolve(answer.result);
        else if (answer.kind === 'failed') reject(new Failure(answer.code, answer.message, answer.hint));
        else reject(new Error(answer.message));
      });
      worker.on('error', (error: Error & { readonly code?: string }) => {
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory() : error);
      });
      worker.on('exit', () => reject(new Error('The worker ended without an answer.')));
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    await worker.terminate();
  }
}

function timedOut(seconds: number): Failure {
  return new Failure(
    'TIMEOUT',
    `The work was not done after ${seconds} seconds and was given up; nothing was written.`,
    'Take fewer pages with --pages, or allow more time with --timeout. A file made to hang readers ends here too.',
  );
}

function outOfMemory(): Failure {
  return new Failure(
    'OUT_OF_MEMORY',
    'The document needs more memory than this script allows; nothing was written.',
    'Take fewer pages with --pages. A file made to exhaust readers ends here too.',
  );
}
