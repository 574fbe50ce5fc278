import { sha256 } from '@skillpack/cli-dist';
import { basename, dirname, join, resolve } from 'node:path';
import { SkillsError } from '@skillpack/core';
import {
  compareRanks,
  formatPlan,
  formatRankReport,
  formatReport,
  formatShard,
  planEvals,
  runEvals,
  scoreResults,
  shardPlan,
  type EvalPlan,
  type EvalPorts,
  type EvalReport,
  type EvalResult,
  type EvalShard,
  type RankComparison,
  type RankReport,
} from '@skillpack/evals';
import { resultsFile } from '@skillpack/evals/node';
import { allSkillFolders, openCatalogue, type EvalCatalogue } from './eval-catalogue.js';
import { isFree } from './eval-budget.js';
import { verdictOf, type EvalData } from './eval-data.js';
import { evalFileNames } from './eval-files.js';
import { evalRedactor, openEvalGround } from './eval-ground.js';
import type { EvalSession } from './eval-session.js';
import { findCases, type FoundCases } from './find-cases.js';
import { followEvals } from './follow-evals.js';
import { rankCases } from './rank-cases.js';
import type { SkillPlace } from './eval-model-ports.js';
import { stageSkills } from './stage-skills.js';
import { surveyPlaces, type SurveyedPlaces } from './survey-places.js';
import { testYardstick } from './test-yardstick.js';
import { thresholdsOf } from './thresholds-of.js';
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
  const { choice, ports, settings, baseline } = session;
  const { reporter, signal } = ports;
  const cases = await findCases(choice.paths);
  tellCases(cases, session);
  const more = await allSkillFolders(choice.catalogue);
  const places = placesOf(cases, more, session);
  // What changes while it runs is a change, too.
  const seen = surveyPlaces(places);
  const reading = { scan: ports.scanPorts(settings), reporter, signal };
  const originals = [...new Set([...cases.skills, ...more])];
  await using staged = await stageSkills(originals);
  const catalogue = { ...(await openCatalogue(staged.folders, reading)), originals };
  const ranks = await rankCases(cases.suites, catalogue.registry, signal);
  await writeText(join(choice.out, evalFileNames.ranks), formatRankReport(ranks));
  const before = baseline?.ranks ?? first;
  const rankComparison = before === undefined ? undefined : compareRanks(before, ranks);
  const ran = await runCases(cases, catalogue, session);
  const { report, results } = ran ?? { report: undefined, results: [] };
  signal.throwIfAborted();
  const content = { report, results, baseline: baseline?.results, ranks, rankComparison, suites: cases.suites };
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

interface RanCases {
  readonly report: EvalReport;
  readonly results: readonly EvalResult[];
}

/** @returns `undefined` where nothing is to be run: nobody named a model, and no case has a script. */
async function runCases(
  cases: FoundCases,
  catalogue: StagedCatalogue,
  session: EvalSession,
): Promise<RanCases | undefined> {
  const { choice, flags, ports, settings, clock, models } = session;
  const { source, reporter, signal } = ports;
  const keep = keepOf(cases, session);
  if (models.names.length === 0 || keep === undefined) return undefined;
  await using old = flags.old === undefined ? undefined : await openOld(flags.old, session);
  const redact = evalRedactor(source.env, models.secrets);
  const skills = [...placesOfSkills(catalogue), ...(old === undefined ? [] : placesOfSkills(old))];
  const opened = await models.open({ suites: cases.suites, registry: catalogue.registry, skills, redact });
  const parts = { registry: catalogue.registry, oldRegistry: old?.registry, sha256, judge: opened.judge };
  const plan = await planEvals(cases.suites, parts, {
    models: models.names,
    arms: choice.arms,
    trials: flags.trials,
    filter: keep,
  });
  const ground = await openEvalGround(flags, {
    source,
    settings,
    clock,
    reporter,
    secrets: models.secrets,
    folders: cases.folders,
  });
  if (models.names.some((name) => !isFree(name))) {
    await testYardstick(cases.suites, { ...parts, clock }, { signal, filter: keep });
  }
  await using log = resultsFile(join(choice.out, evalFileNames.results));
  const evalPorts: EvalPorts = { ...parts, models: opened.source, ground, clock, results: log };
  const shard = choice.shard && shardPlan(plan, { ...choice.shard, durations: session.durations });
  await writePlan(plan, shard, choice.out);
  const { suites } = cases;
  const wanted =
    shard === undefined ? plan : { ...plan, jobs: plan.jobs.filter(({ key }) => shard.keys.includes(key)) };
  const follow = followEvals(wanted.jobs.length, reporter);
  const run = await runEvals({ suites, plan }, evalPorts, {
    signal,
    shard,
    concurrency: flags.concurrency,
    retries: flags.retries,
    fresh: flags.fresh,
    onResult: follow.onResult,
  });
  follow.end();
  if (signal.aborted) throw interrupted(run.results.length, wanted.jobs.length, choice.out);
  const report = scoreResults(run.results, {
    title: `Evals of ${suites.map(({ name }) => name).join(', ')}`,
    plan: wanted,
    suites,
    baseline: session.baseline?.results,
    reused: run.reused,
    thresholds: thresholdsOf(flags, session.baseline),
  });
  await writeText(join(choice.out, evalFileNames.report), formatReport(report));
  return { report, results: run.results };
}

/** The cases that are run; `undefined` where there is none that could be. */
function keepOf(
  { suites }: FoundCases,
  { choice: { filter, free, models } }: EvalSession,
): EvalSession['choice']['filter'] | undefined {
  const scripted = models.length === 1 && models[0] === 'scripted';
  if (!scripted) return filter ?? (() => true);
  const playable = new Set(
    suites.flatMap(({ name, cases }) =>
      cases.flatMap(({ id, tags, script }) =>
        script !== undefined && (filter?.({ suite: name, case: id, tags }) ?? true) ? [`${name}/${id}`] : [],
      ),
    ),
  );
  if (free && playable.size === 0) return undefined;
  return ({ suite, case: id }) => playable.has(`${suite}/${id}`);
}

async function openOld(folder: string, { settings, ports }: EvalSession): Promise<StagedCatalogue & AsyncDisposable> {
  const { reporter, signal, scanPorts } = ports;
  const originals = await allSkillFolders([resolve(settings.cwd, folder)]);
  const staged = await stageSkills(originals);
  const catalogue = await openCatalogue(staged.folders, { scan: scanPorts(settings), reporter, signal });
  return { ...catalogue, originals, [Symbol.asyncDispose]: async () => staged[Symbol.asyncDispose]() };
}

/** A catalogue of skills without their cases. */
interface StagedCatalogue extends EvalCatalogue {
  /** Where these skills lie, absolute, in the same order. */
  readonly originals: readonly string[];
}

/** Where skills are found, and where they lie. */
function placesOfSkills({ folders, originals }: StagedCatalogue): readonly SkillPlace[] {
  return folders.map((folder, index) => ({ folder, original: originals[index] ?? folder }));
}

async function writePlan(plan: EvalPlan, shard: EvalShard | undefined, out: string): Promise<void> {
  if (shard === undefined) await writeText(join(out, evalFileNames.plan), formatPlan(plan));
  else await writeText(join(out, evalFileNames.shard), formatShard(shard));
}

function interrupted(done: number, planned: number, out: string): SkillsError {
  return new SkillsError('INTERRUPTED', `Interrupted: ${done} of ${planned} trials have a result.`, {
    hint: `They are kept in ${out}: the same command goes on from there.`,
    data: { done, planned, out },
  });
}
