import { parentPort } from 'node:worker_threads';
import { fuzzTargets } from './fuzz-targets.js';
import { keepInput, keptFolder } from './kept-inputs.js';
import { runTarget } from './run-target.js';

/** What the worker of a campaign is asked for. */
export interface BatchRequest {
  readonly target: string;
  readonly seed: number;
  readonly runs: number;
  /** The folder for inputs that break a promise. @default the one that every test run reads */
  readonly keep: string | undefined;
}

/** What it answers. */
export interface BatchResult {
  readonly tried: number;
  readonly accepted: number;
  /** Where the input that broke a promise is kept, and what it broke. */
  readonly finding: { readonly file: string; readonly why: string } | undefined;
}

async function runBatch({ target: name, seed, runs, keep }: BatchRequest): Promise<BatchResult> {
  const target = fuzzTargets.find((one) => one.name === name);
  if (target === undefined) throw new Error(`There is no target “${name}”.`);
  const { finding, ...counts } = await runTarget(target, { seed, runs });
  if (finding === undefined) return { ...counts, finding: undefined };
  const why = finding.error instanceof Error ? (finding.error.stack ?? finding.error.message) : String(finding.error);
  const kept = { target: name, why: why.split('\n')[0] ?? '', input: finding.input };
  const file = keepInput(kept, keep ?? keptFolder);
  return { ...counts, finding: { file, why } };
}

parentPort?.on('message', (request: BatchRequest) => {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void runBatch(request).then((result) => parentPort?.postMessage(result));
});

// eslint-disable-next-line unicorn/require-post-message-target-origin -- as above
parentPort?.postMessage('ready');
