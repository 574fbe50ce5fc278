import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EvalCase, EvalPlan, EvalSuite, PlanOptions, RankReport } from '@skillpack/evals';
import type { KeptEvals } from './eval-files.js';

/** Which part of all cases a command line asks for. */
export interface AskedPart {
  readonly suites: readonly EvalSuite[];
  /** Of now. */
  readonly ranks: RankReport;
  readonly filter: PlanOptions['filter'];
  /** The paths that somebody named, absolute; none where everything here is meant. */
  readonly paths: readonly string[];
}

/**
 * The part of a baseline that was asked for, so that what was left out on purpose is not told as gone: the cases that
 * `--filter` and `--tag` take, and, where only files of cases and single skills are named, the suites of these. Of a folder of
 * skills all is wanted, and what it has no more is gone. A baseline that has nothing of that part stays as it is.
 */
export function baselinePart<Kept extends KeptEvals | undefined>(
  baseline: Kept,
  { suites, ranks, filter, paths }: AskedPart,
): Kept | KeptEvals {
  if (baseline === undefined) return baseline;
  const narrow = paths.length > 0 && paths.every(isNarrow);
  const names = new Set(suites.map(({ name }) => name));
  const wanted = (suite: string): boolean => !narrow || names.has(suite);
  const tagsNow = new Map(
    suites.flatMap(({ name, cases }) => cases.map(({ id, tags }) => [JSON.stringify([name, id]), tags] as const)),
  );
  const results = baseline.results.filter(({ suite, case: id, tags }) => {
    // A case that has another tag now is found by that.
    const known: EvalCase['tags'] = tagsNow.get(JSON.stringify([suite, id])) ?? tags;
    return wanted(suite) && (filter?.({ suite, case: id, tags: known }) ?? true);
  });
  return {
    ...baseline,
    results: results.length === 0 ? baseline.results : results,
    ranks: baseline.ranks === undefined || !narrow ? baseline.ranks : ranksOf(baseline.ranks, ranks, wanted),
  };
}

/** The part of a baseline that a shard runs trials of. */
export function baselineShard(
  baseline: KeptEvals | undefined,
  { jobs }: Pick<EvalPlan, 'jobs'>,
): KeptEvals | undefined {
  if (baseline === undefined) return undefined;
  const places = new Set(jobs.map(({ suite, case: id }) => JSON.stringify([suite, id])));
  const results = baseline.results.filter(({ suite, case: id }) => places.has(JSON.stringify([suite, id])));
  return { ...baseline, results: results.length === 0 ? baseline.results : results };
}

function ranksOf(before: RankReport, after: RankReport, wanted: (suite: string) => boolean): RankReport {
  const queries = before.queries.filter(({ suite }) => wanted(suite));
  const skills = new Set(after.catalogue.map(({ skill }) => skill));
  return queries.length === 0
    ? before
    : { ...before, queries, catalogue: before.catalogue.filter(({ skill }) => skills.has(skill)) };
}

/** Whether a path is a file of cases, or one skill. */
function isNarrow(path: string): boolean {
  if (!existsSync(path)) return false;
  return !statSync(path).isDirectory() || existsSync(join(path, 'SKILL.md')) || basename(path) === 'evals';
}
