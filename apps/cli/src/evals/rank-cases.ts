import { sha256 } from '@skillpack/cli-dist';
import { loadQueryVocabulary, type SkillRegistry } from '@skillpack/core';
import { rankQueries, type EvalSuite, type RankReport } from '@skillpack/evals';

/** What a search makes of the queries of all cases, over all skills that there are to choose from. */
export async function rankCases(
  suites: readonly EvalSuite[],
  registry: SkillRegistry,
  signal: AbortSignal,
): Promise<RankReport> {
  const vocabulary = await loadQueryVocabulary();
  return rankQueries(suites, { registry, sha256 }, { vocabulary, signal });
}
