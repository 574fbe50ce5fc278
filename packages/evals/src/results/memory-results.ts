import type { EvalResult } from './eval-result.js';
import type { ResultsLog } from './results-log.js';

/** A log that lives in this process: for tests, and for runs that nobody resumes. */
export function memoryResults(results: readonly EvalResult[] = []): ResultsLog {
  const log = [...results];
  return {
    read: async () => [...log],
    append: async (result) => void log.push(result),
  };
}
