import type { EvalReport, EvalVerdict, RankComparison, RankReport } from '@skillpack/evals';
import type { CaseFile } from './find-cases.js';
import type { WrittenReport } from './write-reports.js';

/** What a command that holds or tells evals answers: the data of `--json`. */
export interface EvalData {
  /** What is said of all of it: of what was run, and of the ranks. */
  readonly verdict: EvalVerdict;
  /** `null` where nothing was run. */
  readonly report: EvalReport | null;
  /** What a search without a model makes of the queries; `null` where nobody ranked them. */
  readonly ranks: RankReport | null;
  /** `null` without the ranks of a baseline. */
  readonly rankComparison: RankComparison | null;
  /** The files of cases. */
  readonly cases: readonly CaseFile[];
  /** The folder of the results, absolute. */
  readonly out: string;
  readonly reports: readonly WrittenReport[];
  /** `1/4`: which part of a whole it is; `null`: all of it. */
  readonly shard: string | null;
}
