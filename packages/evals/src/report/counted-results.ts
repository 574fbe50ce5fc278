import type { EvalResult } from '../results/eval-result.js';
import type { EvalReport } from '../score/eval-report.js';

/** The results that a report counts, in its order: of a log that has several of one trial, the last one. */
export function countedResults({ cases }: EvalReport, results: readonly EvalResult[]): readonly EvalResult[] {
  const byKey = new Map(results.map((result) => [result.key, result]));
  return cases
    .flatMap(({ cells }) => cells.flatMap(({ keys }) => keys))
    .flatMap((key) => {
      const result = byKey.get(key);
      return result === undefined ? [] : [result];
    });
}
