import type { EvalResult } from './eval-result.js';

/** Where results go: lines that are only ever added to. Resuming, reusing and merging are reading it. */
export interface ResultsLog {
  /** Everything that was added; of a line that was cut off by a crash, nothing. @throws `INVALID_RESULTS`. */
  read(): Promise<readonly EvalResult[]>;
  /** It is on the disk when this ends. */
  append(result: EvalResult): Promise<void>;
}
