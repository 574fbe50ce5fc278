import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseResults } from '../src/index.js';

const fixture = join(import.meta.dirname, 'fixtures', 'vitest');
const vitest = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');

interface Assertion {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
}

interface Run {
  readonly exitCode: number | undefined;
  readonly output: string;
  /** By title. */
  readonly tests: ReadonlyMap<string, Assertion>;
}

/** Real vitest, in a process of its own, on the suite of the fixture. */
async function runVitest(environment: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<Run> {
  const folder = await temporaryFolder();
  const report = join(folder, 'report.json');
  const { exitCode, output } = await new Promise<Omit<Run, 'tests'>>((resolve) => {
    const { SKILLPACK_TEST_REPORT: _report, ...inherited } = process.env;
    execFile(
      process.execPath,
      [
        vitest,
        'run',
        '--config',
        join(fixture, 'vitest.config.ts'),
        '--reporter=verbose',
        '--reporter=json',
        `--outputFile=${report}`,
        ...args,
      ],
      { cwd: fixture, env: { ...inherited, ...environment, NO_COLOR: '1' }, encoding: 'utf8' },
      (error, stdout, stderr) =>
        resolve({
          exitCode: error === null ? 0 : typeof error.code === 'number' ? error.code : undefined,
          output: stdout + stderr,
        }),
    );
  });
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
    readonly testResults: readonly { readonly assertionResults: readonly Assertion[] }[];
  };
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return { exitCode, output, tests: new Map(tests.map((one) => [one.title, one])) };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'skillpack-vitest-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  return folder;
}

function statuses({ tests }: Run): Readonly<Record<string, string>> {
  return Object.fromEntries([...tests].map(([title, { status }]) => [title, status]));
}

test('PSA-35: a suite becomes one test a trial, and a gate at the end', async () => {
  const run = await runVitest({ EVALS_TAG: 'good', EVALS_TRIALS: '2' });
  expect(run.exitCode, run.output).toBe(0);
  expect(statuses(run)).toEqual({
    'asks-for-a-pdf (trial 1)': 'passed',
    'asks-for-a-pdf (trial 2)': 'passed',
    'asks-for-a-form (trial 1)': 'passed',
    'asks-for-a-form (trial 2)': 'passed',
    gate: 'passed',
  });
  const first = run.tests.get('asks-for-a-pdf (trial 1)');
  expect(first?.ancestorTitles).toEqual(['documents', 'trials']);
  expect(first?.meta).toMatchObject({ eval: { outcome: 'passed', key: expect.stringMatching(/^sha256:/u) } });
});

test('a trial that failed says which checks failed and what was done, without a trace through a program', async () => {
  const run = await runVitest({ EVALS_TAG: 'wrong' });
  expect(run.exitCode).toBe(1);
  expect(statuses(run)).toEqual({ 'takes-the-wrong-one': 'failed', gate: 'failed' });
  const [message = ''] = run.tests.get('takes-the-wrong-one')?.failureMessages ?? [];
  expect(message).toContain('1 of');
  expect(message).toContain('documents/takes-the-wrong-one (with_skill, scripted, trial 1) failed');
  expect(message).toMatch(/skills: .*pdf/u);
  expect(message).toContain('docx');
  expect(message).toMatch(/What it did:\n.*request: Merge a\.pdf and b\.pdf\.\n[^]*> action: select_skills docx/u);
  expect(message).not.toContain('eval-suite.ts');
  // What a model wrote reaches no terminal as it is.
  expect(run.output).not.toContain('\u001b[31m documents');
  const [gate = ''] = run.tests.get('gate')?.failureMessages ?? [];
  expect(gate).toContain('EvalGateError: The evals failed.');
});

test('a trial that could not be run is told apart from one that failed, and the gate is invalid', async () => {
  const run = await runVitest({ EVALS_TAG: 'down' });
  expect(run.exitCode).toBe(1);
  expect(statuses(run)).toEqual({ 'nobody-answers': 'failed', gate: 'failed' });
  const [message = ''] = run.tests.get('nobody-answers')?.failureMessages ?? [];
  expect(message).toMatch(/^EvalError: documents\/nobody-answers .* was not scored.*: NETWORK_ERROR/u);
  expect(message).not.toContain('checks');
  expect(run.tests.get('gate')?.failureMessages[0]).toContain('The evals are invalid.');
  expect(run.tests.get('nobody-answers')?.meta).toMatchObject({ eval: { outcome: 'error' } });
});

test('a trial that says nothing is skipped with its reason, and the gate counts it', async () => {
  const run = await runVitest({ EVALS_TAG: 'asks' });
  expect(statuses(run)).toEqual({ 'asks-back': 'skipped', gate: 'failed' });
  expect(run.output).toContain('was not scored: INCONCLUSIVE');
  expect(run.tests.get('gate')?.failureMessages[0]).toContain('The evals are invalid.');
});

test('without strictness, what fails is noted, and the gate goes by its thresholds', async () => {
  const run = await runVitest({ EVALS_TAG: 'lenient' });
  expect(run.exitCode, run.output).toBe(0);
  expect(statuses(run)).toEqual({
    'asks-for-a-pdf': 'passed',
    'takes-the-wrong-one': 'passed',
    'asks-back': 'skipped',
    gate: 'passed',
  });
  expect(run.output).toContain('documents/takes-the-wrong-one (with_skill, scripted, trial 1) failed');
  expect(run.tests.get('takes-the-wrong-one')?.meta).toMatchObject({ eval: { outcome: 'failed' } });
});

test('where only some trials are run, the gate says nothing of all', async () => {
  const run = await runVitest({ EVALS_TAG: 'filtered' }, ['-t', 'asks-for-a-pdf|gate']);
  expect(run.exitCode, run.output).toBe(0);
  expect(statuses(run)).toMatchObject({ 'asks-for-a-pdf': 'passed', gate: 'skipped' });
  expect(run.output).toContain('1 of 2 trials were not run');
});

test('results that are kept are not run again, and are a baseline of later runs', async () => {
  const folder = await temporaryFolder();
  const log = join(folder, 'results.jsonl');
  const first = await runVitest({ EVALS_TAG: 'good', EVALS_RESULTS: log });
  expect(first.exitCode, first.output).toBe(0);
  const lines = parseResults(await readFile(log, 'utf8'));
  expect(lines.map(({ case: id }) => id).toSorted()).toEqual(['asks-for-a-form', 'asks-for-a-pdf']);
  const again = await runVitest({ EVALS_TAG: 'good', EVALS_RESULTS: log, EVALS_BASELINE: log });
  expect(again.exitCode, again.output).toBe(0);
  expect(parseResults(await readFile(log, 'utf8'))).toEqual(lines);
});

test('options that there are not, and files that are none, end it before there is a test', async () => {
  const run = await runVitest({ EVALS_TAG: 'good', EVALS_BASELINE: join(fixture, 'cases.yaml') });
  expect(run.exitCode).toBe(1);
  expect(run.tests.size).toBe(0);
  expect(run.output).toContain('cases.yaml');
});

test('a trial that failed is not run until it passes, whatever vitest is told to run again', async () => {
  const run = await runVitest({ EVALS_TAG: 'shaky' }, ['--retry', '2']);
  expect(run.exitCode, run.output).toBe(1);
  expect(statuses(run)).toEqual({ 'fails-at-first': 'failed', gate: 'failed' });
});

test('a suite that is repeated has each of its trials once', async () => {
  const run = await runVitest({ EVALS_TAG: 'shaky', EVALS_REPEATS: '2' });
  expect(run.exitCode, run.output).toBe(1);
  expect(statuses(run)).toEqual({ 'fails-at-first': 'failed', gate: 'failed' });
});

test('a baseline that is not there is told with its name', async () => {
  const run = await runVitest({ EVALS_TAG: 'good', EVALS_BASELINE: '/nowhere/nope.jsonl' });
  expect(run.exitCode).toBe(1);
  expect(run.output).toContain('There is no baseline /nowhere/nope.jsonl');
  expect(run.output).toContain('or leave the baseline out.');
});
