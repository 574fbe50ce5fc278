import type { RankComparison, RankReport } from '../ranking/rank-report.js';
import type { EvalResult } from '../results/eval-result.js';
import type { EvalReport } from '../score/eval-report.js';

/** What a page shows: a report with the results that it was made of, and whatever else there is. */
export interface HtmlReport {
  readonly report: EvalReport;
  readonly results: readonly EvalResult[];
  /** Results of an earlier run, to lay beside those of now. @default there are none */
  readonly baseline?: readonly EvalResult[] | undefined;
  /** What the ranking without a model says. @default nothing */
  readonly ranks?: RankReport | undefined;
  readonly rankComparison?: RankComparison | undefined;
}

/** Script and style of the page, as they were built, with what a browser is to know them by. */
export interface ReportPage {
  readonly script: string;
  /** Of the script: `sha256-…` in base64, as a content security policy has it. */
  readonly scriptHash: string;
  readonly style: string;
  readonly styleHash: string;
}

/** How a page is made. */
export interface RenderHtmlOptions {
  /** From `reportPage()` of `@skillpack/evals/node`. */
  readonly page: ReportPage;
  /**
   * Bytes that the transcripts may take in the page. Those that do not fit are left out, of trials that passed first; the
   * page says which. @default 64 MiB
   */
  readonly maxBytes?: number | undefined;
}
