import type { RankComparison, RankReport } from '../ranking/rank-report.js';
import type { EvalResult } from '../results/eval-result.js';
import type { EvalReport } from '../score/eval-report.js';

/** What of a result the page has at hand for all of them. */
export type PageHead = Pick<
  EvalResult,
  'key' | 'suite' | 'case' | 'arm' | 'model' | 'trial' | 'kind' | 'tags' | 'input' | 'outcome' | 'fired' | 'wanted'
>;

/** What of a result the page reads when somebody looks at it. */
export type PageDetail = Pick<EvalResult, 'checks' | 'answer' | 'steps' | 'spent' | 'at' | 'attempts' | 'files'> & {
  readonly input: string;
  readonly reason?: { readonly code: string; readonly message: string } | undefined;
  /** Whether the transcript and the answer were left out, for want of room. */
  readonly cut?: true | undefined;
};

/**
 * What the page is made of. It stands in the element `report` as JSON; the details stand in the element `details`, one line
 * of JSON for each head of `results`, then one for each of `baseline`, so that a page with thousands of them opens at once.
 */
export interface PageData {
  readonly report: EvalReport;
  readonly results: readonly PageHead[];
  readonly baseline: readonly PageHead[];
  readonly ranks?: RankReport | undefined;
  readonly rankComparison?: RankComparison | undefined;
  /** How many results have no transcript here. */
  readonly cut: number;
}
