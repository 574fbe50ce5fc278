import { resolve } from 'node:path';
import {
  compareRanks,
  scoreResults,
  type EvalPlan,
  type EvalResult,
  type EvalSuite,
  type RankReport,
} from '@skillpack/evals';
import { baselineResults } from './baseline-results.js';
import type { EvalData } from './eval-data.js';
import { verdictOf } from './verdict-of.js';
import { readKeptEvals } from './eval-files.js';
import type { GateFlags } from './eval-options.js';
import { compareOptionsOf, rankOptionsOf } from './gate-options-of.js';
import type { CaseFile } from './find-cases.js';
import { readReporters } from './read-reporters.js';
import { thresholdsOf } from './thresholds-of.js';
import { titleOf } from './title-of.js';
import { writeReports } from './write-reports.js';

/** Results that are there, and where reports of them go. */
export interface KeptResults {
  readonly plan: EvalPlan | undefined;
  readonly results: readonly EvalResult[];
  readonly ranks: RankReport | undefined;
  /** For titles. @default cases have none */
  readonly suites: readonly EvalSuite[];
  readonly cases: readonly CaseFile[];
  /** The folder of the results, absolute. */
  readonly out: string;
  /** The folder that relative paths of the command line start from. */
  readonly cwd: string;
}

/**
 * Scores results that are there, holds them to a baseline, and writes the reports that are wanted.
 *
 * @throws `USAGE`, `FILE_NOT_FOUND`, `INVALID_RESULTS`, `IO_ERROR`.
 */
export async function judgeKept(
  kept: KeptResults,
  flags: GateFlags & { readonly reporter?: string | undefined },
): Promise<EvalData> {
  const { plan, results, ranks, suites, cases, out, cwd } = kept;
  const reporters = readReporters(flags.reporter, cwd);
  const baseline = flags.baseline === undefined ? undefined : readKeptEvals(resolve(cwd, flags.baseline));
  const names = [...new Set(results.map(({ suite }) => suite))];
  const ran = plan !== undefined || results.length > 0;
  const report = ran
    ? scoreResults(results, {
        title: titleOf(names),
        plan,
        suites,
        baseline: baselineResults(baseline),
        compare: compareOptionsOf(),
        thresholds: thresholdsOf(flags, { baseline, models: [...new Set(results.map(({ model }) => model))] }),
      })
    : undefined;
  const rankComparison =
    baseline?.ranks === undefined || ranks === undefined
      ? undefined
      : compareRanks(baseline.ranks, ranks, rankOptionsOf({ maxLost: flags.maxLost }));
  const content = { report, results, baseline: baseline?.results, ranks, rankComparison, suites };
  const reports = await writeReports(reporters, content, out);
  return {
    verdict: verdictOf({ report, ranks, rankComparison }),
    report: report ?? null,
    ranks: ranks ?? null,
    rankComparison: rankComparison ?? null,
    cases,
    out,
    reports,
    shard: null,
  };
}
