import type { ModelAdapter } from '@skillpack/core';
import type { Judge } from './judge.js';

/** How a model judges. */
export interface ModelJudgeOptions {
  /** Milliseconds that one call may take. @default 120000 */
  readonly timeout?: number | undefined;
}

/**
 * A judge that asks a model, once for all statements of a trial; once more where its answer cannot be read. What it is
 * shown of the trial is fenced, and told to be data. Its name is `model:` and that of the model.
 *
 * @throws `USAGE` for options that make no sense. Judging throws what the model throws, and `MODEL_ERROR` for two answers
 * that cannot be read.
 */
export function modelJudge(model: ModelAdapter, options: ModelJudgeOptions = {}): Judge {
  throw new Error(`${model.name} ${String(options.timeout)}`);
}
