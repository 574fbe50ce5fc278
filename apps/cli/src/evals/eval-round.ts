import { basename, dirname, join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import {
  compareRanks,
  formatRankReport,
  type EvalReport,
  type RankComparison,
  type RankReport,
} from '@skillpack/evals';
import { checkNames } from './check-names.js';
import { baselinePart } from './baseline-part.js';
import { rankOptionsOf } from './gate-options-of.js';
import { allSkillFolders, openCatalogue } from './eval-catalogue.js';
import type { EvalData } from './eval-data.js';
import { verdictOf } from './verdict-of.js';
import { evalFileNames } from './eval-files.js';
import type { EvalSession } from './eval-session.js';
import { findCases, type FoundCases } from './find-cases.js';
import { rankCases } from './rank-cases.js';
import { surveyPlaces, type SurveyedPlaces } from './survey-places.js';
import { writeReports, writeText } from './write-reports.js';

/** What one round came to. */
export interface EvalRound {
  readonly data: EvalData;
  /** Where what it was made of lies. */
  readonly places: SurveyedPlaces;
  /** What it was like there before anything was read. */
  readonly seen: string;
}

/**
 * Reads the cases and the skills, ranks the queries, runs what has no result yet, and writes all that came of it.
 *
 * @param first what those of now are compared with where there is no baseline. @default nothing
 * @throws `INTERRUPTED` where it was cancelled: what has a result by then is kept; what reading and running throw.
 */
export async function runEvalRound(session: EvalSession, first?: RankReport): Promise<EvalRound> {
  const { choice, ports, settings, flags } = session;
  const { reporter, signal } = ports;
  const cases = await findCases(choice.paths);
  refuseEmptyFilter(cases, session);
  tellCases(cases, session);
  const more = await allSkillFolders(choice.catalogue);
  const places = placesOf(cases, more, session);
  // What changes while it runs is a change, too.
  const seen = surveyPlaces(places);
  const reading = { scan: ports.scanPorts(settings), reporter, signal };
  await using catalogue = await openCatalogue([...new Set([...cases.skills, ...more])], reading);
  await checkNames(cases.suites, catalogue.registry, { signal, filter: choice.filter });
  const ranks = await rankCases(cases.suites, catalogue.registry, signal);
  const { suites } = cases;
  const paths = flags.paths.length === 0 ? [] : choice.paths;
  const baseline = baselinePart(session.baseline, { suites, ranks, filter: choice.filter, paths });
  const before = baseline?.ranks ?? first;
  const rankComparison = before === undefined ? undefined : compareRanks(before, ranks, rankOptionsOf(flags));
  const ran =
    session.models === undefined
      ? undefined
      : await (await import('./run-cases.js')).runCases(cases, catalogue, { ...session, baseline });
  const { report, results } = ran ?? { report: undefined, results: [] };
  signal.throwIfAborted();
  // Not before: another run may be at work in the folder.
  await writeText(join(choice.out, evalFileNames.ranks), formatRankReport(ranks));
  const content = { report, results, baseline: baseline?.results, ranks, rankComparison, suites };
  const reports = await writeReports(choice.reporters, content, choice.out);
  return {
    data: dataOf({ cases, session, report, ranks, rankComparison, reports }),
    places,
    seen,
  };
}

function placesOf(cases: FoundCases, more: readonly string[], { choice }: EvalSession): SurveyedPlaces {
  const files = cases.files.map(({ path }) => path);
  const around = files.map((path) => dirname(path)).filter((folder) => basename(folder) === 'evals');
  return {
    folders: [...new Set([...cases.skills, ...more, ...around])],
    files: [...files, ...choice.paths, ...choice.catalogue],
    ignored: choice.out,
  };
}

function dataOf({
  cases,
  session: { choice },
  report,
  ranks,
  rankComparison,
  reports,
}: {
  readonly cases: FoundCases;
  readonly session: EvalSession;
  readonly report: EvalReport | undefined;
  readonly ranks: RankReport;
  readonly rankComparison: RankComparison | undefined;
  readonly reports: EvalData['reports'];
}): EvalData {
  const { shard } = choice;
  return {
    verdict: verdictOf({ report, ranks, rankComparison }),
    report: report ?? null,
    ranks,
    rankComparison: rankComparison ?? null,
    cases: cases.files,
    out: choice.out,
    reports,
    shard: shard === undefined ? null : `${shard.index}/${shard.count}`,
  };
}

/** @throws `USAGE`: nothing would be run, and that would be called passed. */
function refuseEmptyFilter({ suites }: FoundCases, { choice: { filter }, flags }: EvalSession): void {
  if (filter === undefined) return;
  const tags = new Set(suites.flatMap(({ cases }) => cases.flatMap((one) => one.tags)));
  const fits = suites.some(({ name, cases }) =>
    cases.some((one) => filter({ suite: name, case: one.id, tags: one.tags })),
  );
  if (fits) return;
  const named = suites.map(({ name }) => name).join(', ');
  throw new SkillsError('USAGE', 'No case has what --filter and --tag ask for.', {
    hint: `There are the suites ${named}${tags.size === 0 ? '' : `, and the tags ${[...tags].join(', ')}`}.`,
    data: { filter: flags.filter ?? null, tag: flags.tag ?? null },
  });
}

function tellCases({ files, skipped }: FoundCases, { ports: { reporter } }: EvalSession): void {
  for (const reason of skipped) reporter.warn(reason);
  for (const { path, notes } of files) {
    const lost = notes.filter(({ kind }) => kind !== 'kept').length;
    if (lost > 0) {
      reporter.warn(
        `${path}: ${lost} of what it says could not be taken over as it was; skills eval import shows each.`,
      );
    }
  }
}
