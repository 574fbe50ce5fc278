import type { RankReport } from '../ranking/rank-report.js';
import { countOf } from './count-of.js';

/** What becomes of queries that want no skill of their suite, in a sentence; `undefined` without any. It is no score. */
export function tellKeptAway({ keptAway: { successes, total } }: RankReport): string | undefined {
  if (total === 0) return undefined;
  return `For ${successes} of ${countOf(total, 'query', 'queries')} that some skill is not for, no such skill is first. That is no score: a search always finds something, and cannot leave a skill alone as a model can.`;
}
