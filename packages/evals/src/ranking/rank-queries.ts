import type { QueryVocabulary, Sha256, SkillRegistry } from '@skillpack/core';
import type { EvalSuite } from '../case/eval-case.js';
import type { RankReport } from './rank-report.js';

/** What queries are ranked with. */
export interface RankPorts {
  /** The whole catalogue. Names and descriptions are searched, never the texts. */
  readonly registry: Pick<SkillRegistry, 'index'>;
  readonly sha256: Sha256;
}

/** How queries are ranked. */
export interface RankOptions {
  /** What finds skills for queries in other languages, such as that of `loadQueryVocabulary`. @default none */
  readonly vocabulary?: QueryVocabulary | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Ranks the query of every case that says which skills it wants, or does not, over the whole catalogue. The query is what
 * the person says first.
 *
 * @throws `INTERRUPTED`; what the registry throws.
 */
export async function rankQueries(
  suites: readonly EvalSuite[],
  ports: RankPorts,
  options: RankOptions = {},
): Promise<RankReport> {
  await ports.registry.index({ signal: options.signal });
  throw new Error(`Not written: ${suites.length}.`);
}
