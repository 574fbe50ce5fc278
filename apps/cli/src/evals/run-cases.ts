import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sha256 } from '@skillpack/cli-dist';
import { SkillsError } from '@skillpack/core';
import {
  formatPlan,
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
  type EvalWork,
} from '@skillpack/evals';
import { resultsFile } from '@skillpack/evals/node';
import { count } from '../render/count.js';
import { baselineShard } from './baseline-part.js';
import { baselineResults } from './baseline-results.js';
import { cassettePath } from './cassette-path.js';
import { allSkillFolders, openCatalogue, type EvalCatalogue } from './eval-catalogue.js';
import { evalFileNames } from './eval-files.js';
import { evalRedactor, openEvalGround } from './eval-ground.js';
import type { EvalSession } from './eval-session.js';
import type { FoundCases } from './find-cases.js';
import { followEvals } from './follow-evals.js';
import { isFree } from './free-models.js';
import { compareOptionsOf } from './gate-options-of.js';
import { testYardstick } from './test-yardstick.js';
import { thresholdsOf } from './thresholds-of.js';
import { titleOf } from './title-of.js';
import { variantOf } from './variant-of.js';
import { writeText } from './write-reports.js';

/** What running cases came to. */
export interface RanCases {
  /** Its verdict tells of cases that could not be run, too. */
  readonly report: EvalReport;
  readonly results: readonly EvalResult[];
}

/**
 * Plans the cases, runs those that have no result yet, and scores them.
 *
 * @returns `undefined` where nothing is to be run: nobody named a model, and no case has a script.
 * @throws `INTERRUPTED` where it was cancelled; as `planEvals`, `runEvals` and `openEvalGround` do.
 */
export async function runCases(
  cases: FoundCases,
  catalogue: EvalCatalogue,
  session: EvalSession,
): Promise<RanCases | undefined> {
  const { choice, flags, ports, clock, models } = session;
  if (models === undefined) return undefined;
  const { keep, unplayed } = chosenCases(cases, session);
  if (unplayed > 0) ports.reporter.step(`${notPlayed(unplayed)}.`);
  if (keep === undefined) return undefined;
  await using old = flags.old === undefined ? undefined : await openOld(flags.old, session);
  const { suites } = cases;
  const redact = evalRedactor(ports.source.env, models.secrets);
  const skills = [...catalogue.places, ...(old?.places ?? [])];
  const { source, judge } = await models.open({ suites, registry: catalogue.registry, skills, redact });
  const parts = { registry: catalogue.registry, oldRegistry: old?.registry, sha256, judge };
  const plan = await planEvals(suites, parts, {
    models: models.names,
    arms: choice.arms,
    trials: flags.trials,
    filter: keep,
    variant: variantOf(session),
  });
  const ground = await openEvalGround(flags, { ...session, ...ports, secrets: models.secrets, folders: cases.folders });
  if (!models.names.every(isFree)) {
    await testYardstick(suites, { ...parts, clock }, { signal: ports.signal, filter: keep });
  }
  await using log = resultsFile(join(choice.out, evalFileNames.results));
  // What another run is writing to stays as it is.
  await log.lock();
  const ran = await runPlan({ suites, plan }, { ...parts, models: source, ground, clock, results: log }, session);
  if (unplayed === 0) return ran;
  const { report, results } = ran;
  const { kind, reasons } = report.verdict;
  return {
    results,
    report: { ...report, verdict: { kind, reasons: [...reasons, `Not run: ${notPlayed(unplayed)}.`] } },
  };
}

function notPlayed(cases: number): string {
  return `${count(cases, 'case')} ${cases === 1 ? 'has' : 'have'} no script, and ${cases === 1 ? 'needs' : 'need'} --model`;
}

async function runPlan(work: EvalWork, evalPorts: EvalPorts, session: EvalSession): Promise<RanCases> {
  const { choice, flags, ports, baseline, durations } = session;
  const { reporter, signal } = ports;
  const { suites, plan } = work;
  const shard = choice.shard && shardPlan(plan, { ...choice.shard, durations });
  await writePlan(plan, shard, choice.out);
  const wanted = shard === undefined ? plan : partOf(plan, shard);
  const models = [...new Set(plan.jobs.map(({ model }) => model))];
  if (!models.every(isFree)) reporter.step(`${count(wanted.jobs.length, 'trial')}, ${mostSpent(choice.budget)}`);
  const { onResult, end } = followEvals(wanted.jobs.length, reporter);
  const { concurrency, retries, fresh } = flags;
  const run = await runEvals(work, evalPorts, { signal, shard, concurrency, retries, fresh, onResult });
  end();
  tellUnrecorded(run, session);
  if (signal.aborted) throw interrupted(run.results.length, wanted.jobs.length, choice.out);
  const held = shard === undefined ? baseline : baselineShard(baseline, wanted);
  const report = scoreResults(run.results, {
    title: titleOf([...new Set(wanted.jobs.map(({ suite }) => suite))]),
    plan: wanted,
    suites,
    baseline: baselineResults(held),
    compare: compareOptionsOf(),
    reused: run.reused,
    thresholds: thresholdsOf(flags, { baseline: held, models }),
  });
  await writeText(join(choice.out, evalFileNames.report), formatReport(report));
  return { report, results: run.results };
}

/** Which cases are run. */
interface ChosenCases {
  /** `undefined`: there is none that could be. */
  readonly keep: EvalSession['choice']['filter'] | undefined;
  /** Those that a filter fits, and that have no script where scripts are played. */
  readonly unplayed: number;
}

function chosenCases(
  { suites }: FoundCases,
  { choice: { filter = () => true, free, models } }: EvalSession,
): ChosenCases {
  const scripted = models.length === 1 && models[0] === 'scripted';
  if (!scripted) return { keep: filter, unplayed: 0 };
  const fitting = suites.flatMap(({ name, cases }) =>
    cases.filter(({ id, tags }) => filter({ suite: name, case: id, tags })).map((one) => ({ suite: name, ...one })),
  );
  const playable = new Set(
    fitting.filter(({ script }) => script !== undefined).map(({ suite, id }) => `${suite}/${id}`),
  );
  const unplayed = fitting.length - playable.size;
  if (free && playable.size === 0) return { keep: undefined, unplayed };
  return { keep: ({ suite, case: id }) => playable.has(`${suite}/${id}`), unplayed };
}

async function openOld(folder: string, { settings, ports }: EvalSession): Promise<EvalCatalogue> {
  const { reporter, signal, scanPorts } = ports;
  const folders = await allSkillFolders([resolve(settings.cwd, folder)]);
  return openCatalogue(folders, { scan: scanPorts(settings), reporter, signal });
}

/** What is known is not asked again, and so not recorded. */
function tellUnrecorded(
  { results, reused }: { readonly results: readonly EvalResult[]; readonly reused: number },
  { flags: { record }, settings, ports: { reporter } }: EvalSession,
): void {
  if (record === undefined || reused === 0) return;
  const folder = resolve(settings.cwd, record);
  const missing = results.filter(
    (result) => ['passed', 'failed'].includes(result.outcome) && !existsSync(cassettePath(folder, result)),
  );
  if (missing.length === 0) return;
  reporter.warn(
    `${count(missing.length, 'trial')} known from before ${missing.length === 1 ? 'was' : 'were'} not asked again, and so not recorded: --fresh runs them anew.`,
  );
}

function mostSpent({ cost, calls }: EvalSession['choice']['budget']): string {
  const limits = [
    ...(cost === undefined ? [] : [`$${cost.toFixed(2)}`]),
    ...(calls === undefined ? [] : [count(calls, 'call')]),
  ];
  return `for ${limits.join(' and ')} at most`;
}

function partOf(plan: EvalPlan, shard: EvalShard): EvalPlan {
  const keys = new Set(shard.keys);
  return { ...plan, jobs: plan.jobs.filter(({ key }) => keys.has(key)) };
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
