import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expectOptions, SkillsError, visibleText, type Clock, type Digest, type Sha256 } from '@skillpack/core';
import { afterAll, describe, test, type TestContext } from 'vitest';
import type { EvalSuite } from '../case/eval-case.js';
import { readSuite } from '../case/read-suite.js';
import type { EvalJob, EvalPlan } from '../plan/eval-job.js';
import { expectJudge, expectPorts } from '../plan/expect-ports.js';
import { planEvals } from '../plan/plan-evals.js';
import type { EvalResult } from '../results/eval-result.js';
import { memoryResults } from '../results/memory-results.js';
import { resultsFile, type ResultsFile } from '../results/results-file.js';
import { parseResults } from '../results/parse-results.js';
import { selectResults } from '../results/select-results.js';
import { prepareWork } from '../run/prepare-work.js';
import type { EvalVerdict } from '../score/eval-report.js';
import { scoreResults } from '../score/score-results.js';
import { describeFailure, describeUnscored } from './describe-trial.js';
import type { EvalPorts } from '../trial/eval-ports.js';
import type { EvalSuiteOptions, EvalSuitePorts } from './eval-suite-options.js';

const optionNames: Readonly<Record<keyof EvalSuiteOptions, true>> = {
  models: true,
  arms: true,
  trials: true,
  filter: true,
  variant: true,
  title: true,
  thresholds: true,
  baseline: true,
  strict: true,
  concurrent: true,
  retries: true,
  timeout: true,
};

declare module 'vitest' {
  interface TaskMeta {
    /** Of a test that {@link evalSuite} made: its trial, for reporters. */
    eval?: { readonly key: Digest; readonly outcome: EvalResult['outcome'] } | undefined;
  }
}

/**
 * Makes tests of suites: one for each trial, and one at the end, the gate, which says what the whole report says.
 *
 * A trial that failed fails its test with the checks that failed and the steps that broke them. One that could not be scored
 * because what it ran on failed fails it, too, with an `EvalError` that says so; one that is inconclusive or was stopped is
 * skipped with its reason, and the gate counts it. The gate is skipped where not every trial was run, as with `-t`. `retry`
 * and `repeats` of vitest do not hold here: a trial that was scored is not run until it passes.
 *
 * @param suites files, or suites; to be awaited, since files are read and skills measured before there are tests.
 * @example
 * ```ts
 * await evalSuite('skills/pdf/evals/pdf.yaml', { registry, models, ground }, { models: ['scripted'] });
 * ```
 * @throws what reading suites and planning throws; `FILE_NOT_FOUND` for a baseline that is not there.
 */
export async function evalSuite(
  suites: string | EvalSuite | readonly (string | EvalSuite)[],
  ports: EvalSuitePorts,
  options: EvalSuiteOptions,
): Promise<void> {
  expectOptions(options, { of: 'evalSuite', names: optionNames });
  const given = Array.isArray(suites) ? (suites as readonly (string | EvalSuite)[]) : [suites as string | EvalSuite];
  const read = await Promise.all(
    given.map(async (suite) => (typeof suite === 'string' ? (await readSuite(suite)).suite : suite)),
  );
  const { whole, file } = fillPorts(ports);
  const { models, arms, trials, filter, variant } = options;
  const plan = await planEvals(read, whole, { models, arms, trials, filter, variant });
  const baseline = typeof options.baseline === 'string' ? await readBaseline(options.baseline) : options.baseline;
  const kept = new Map((await whole.results.read()).filter(worthKeeping).map((result) => [result.key, result]));
  const doJob = prepareWork({ suites: read, plan }, whole, { retries: options.retries });
  const seen = new Map<Digest, EvalResult>();
  const title = options.title ?? read.map(({ name }) => name).join(', ');

  describe(title, () => {
    // What is watched runs again in the same process, which would find the file locked by itself.
    afterAll(async () => file?.[Symbol.asyncDispose]());
    const trialTest = (options.concurrent ?? true) ? test.concurrent : test;
    describe('trials', () => {
      const nameOf = namesOf(plan);
      for (const job of plan.jobs) {
        trialTest(nameOf(job), { ...once, timeout: options.timeout ?? 300_000 }, async (context) => {
          const before = kept.get(job.key);
          const result = before ?? (await doJob(job, { signal: context.signal }));
          if (before === undefined) await whole.results.append(result);
          seen.set(job.key, result);
          context.task.meta.eval = { key: result.key, outcome: result.outcome };
          await tellOutcome(result, context, options.strict ?? true);
        });
      }
    });
    // eslint-disable-next-line vitest/expect-expect -- what it throws is what a person reads
    test('gate', once, (context) => {
      if (seen.size < plan.jobs.length) {
        context.skip(
          `${plan.jobs.length - seen.size} of ${plan.jobs.length} trials were not run, so nothing is said of all`,
        );
      }
      const report = scoreResults(selectResults(plan, [...seen.values()]), {
        title,
        plan,
        suites: read,
        baseline,
        thresholds: options.thresholds,
      });
      if (report.verdict.kind !== 'passed') throw gateError(report.verdict);
    });
  });
}

function fillPorts(ports: EvalSuitePorts): { readonly whole: EvalPorts; readonly file: ResultsFile | undefined } {
  expectPorts(ports, { of: 'evalSuite', needs: ['registry', 'models', 'ground'] });
  expectJudge(ports.judge, 'evalSuite');
  const { clock = machineClock, sha256 = nodeSha256, results = memoryResults(), ...others } = ports;
  const file = typeof results === 'string' ? resultsFile(results) : undefined;
  // Of a text there is a file.
  const whole = { ...others, clock, sha256, results: file ?? (results as EvalPorts['results']) };
  expectPorts(whole, { of: 'evalSuite', needs: ['clock', 'sha256', 'results'] });
  return { whole, file };
}

function gateError({ kind, reasons }: EvalVerdict): Error {
  const lines = reasons.map((reason) => `  ${visibleText(reason)}`);
  const sentence = `The evals ${kind === 'failed' ? 'failed' : `are ${kind}`}.`;
  return plainError('EvalGateError', [sentence, ...lines].join('\n'));
}

/** Whoever tries a model until it passes has measured nothing: a config that says so counts for less than this. */
const once = { retry: 0, repeats: 0 } as const;

async function tellOutcome(result: EvalResult, context: TestContext, strict: boolean): Promise<void> {
  switch (result.outcome) {
    case 'passed':
      return;
    case 'failed':
      if (strict) throw plainError('EvalFailedError', describeFailure(result));
      await context.annotate(describeFailure(result), 'failed trial');
      return;
    case 'error':
      throw plainError('EvalError', describeUnscored(result));
    case 'inconclusive':
    case 'stopped':
      context.skip(describeUnscored(result));
  }
}

/** An error without a trace: what broke is in a skill or a model, not in a line of a program. */
function plainError(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = `${name}: ${message}`;
  return error;
}

function worthKeeping({ outcome }: EvalResult): boolean {
  return outcome !== 'error' && outcome !== 'stopped';
}

/** Names of tests: as much of a job as tells it from the others. */
function namesOf({ jobs }: EvalPlan): (job: EvalJob) => string {
  const several = (field: 'suite' | 'arm' | 'model' | 'trial'): boolean =>
    new Set(jobs.map((job) => job[field])).size > 1;
  const [suites, arms, models, trials] = [several('suite'), several('arm'), several('model'), several('trial')];
  return (job) => {
    const details = [
      ...(arms ? [job.arm] : []),
      ...(models ? [job.model] : []),
      ...(trials ? [`trial ${job.trial}`] : []),
    ];
    const name = suites ? `${job.suite}/${job.case}` : job.case;
    return visibleText(details.length === 0 ? name : `${name} (${details.join(', ')})`);
  };
}

async function readBaseline(path: string): Promise<readonly EvalResult[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new SkillsError('FILE_NOT_FOUND', `There is no baseline ${visibleText(path)}, or it cannot be read.`, {
      hint: 'Commit the results of a run that is good, or leave the baseline out.',
      cause,
      data: { path },
    });
  }
  return parseResults(text, { what: path });
}

// The one shape that hexadecimal of SHA-256 has.
const nodeSha256: Sha256 = (data) => `sha256:${createHash('sha256').update(data).digest('hex')}` as Digest;

const machineClock: Clock = {
  now: () => Date.now(),
  startTimer: (milliseconds) => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), milliseconds);
    return { signal: controller.signal, clear: () => clearTimeout(timer) };
  },
};
