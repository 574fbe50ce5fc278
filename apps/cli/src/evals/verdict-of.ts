import type { EvalReport, EvalVerdict, RankComparison, RankReport } from '@skillpack/evals';
import { count } from '../render/count.js';

/** What is known when a verdict is made. */
export interface Judged {
  readonly report: EvalReport | undefined;
  readonly ranks: RankReport | undefined;
  readonly rankComparison: RankComparison | undefined;
}

/** One verdict of what was run and of the ranks: the worse of both, with the reasons of both. */
export function verdictOf({ report, ranks, rankComparison }: Judged): EvalVerdict {
  const lost = rankComparison?.verdict === 'worse';
  const ofRanks = rankComparison?.reasons.map((reason) => `Ranks: ${reason}`) ?? [];
  const { kind, reasons } = report?.verdict ?? onlyRanked(ranks);
  return {
    kind: kind === 'passed' && lost ? 'failed' : kind,
    reasons: lost ? [...ofRanks, ...reasons] : [...reasons, ...ofRanks],
  };
}

function onlyRanked(ranks: RankReport | undefined): EvalVerdict {
  const ranked = ranks?.queries.length ?? 0;
  return { kind: 'passed', reasons: [`Nothing was run; ${count(ranked, 'request')} ranked without a model.`] };
}
