import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planEvals, runEvals, scoreResults, selfTest } from '@skillpack/evals';
import { scripted } from '@skillpack/model-adapters';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  builtinFolder,
  builtinPorts,
  builtinSuites,
  catalogue,
  chooser,
  recordingModels,
  replayedModels,
  scriptedModels,
  tagged,
} from './builtin-evals.ts';

const skills = ['pdf', 'release-notes', 'skill-author', 'table'];
const triggers = await builtinSuites('triggers');
const tasks = await builtinSuites('tasks');

describe.each(skills)('the cases of %s', (skill) => {
  test('are requests that want it, near misses that do not, and tasks', () => {
    const trigger = triggers.find(({ suite }) => suite.name === `${skill}-triggers`)?.suite;
    const task = tasks.find(({ suite }) => suite.name === `${skill}-tasks`)?.suite;
    expect([trigger?.skills, task?.skills]).toEqual([[skill], [skill]]);
    expect(trigger?.cases.every(({ kind }) => kind === 'trigger')).toBe(true);
    expect(
      trigger?.cases.filter(({ expected }) => expected.skills?.allOf?.includes(skill)).length,
    ).toBeGreaterThanOrEqual(10);
    const misses = tagged(trigger?.cases ?? [], 'near-miss');
    expect(misses.length).toBeGreaterThanOrEqual(5);
    for (const { id, expected } of misses) {
      const { none } = expected.skills ?? {};
      expect(none === true || none?.includes(skill), id).toBe(true);
    }
    // In more than one script and language.
    expect(
      trigger?.cases.filter(({ id }) => /-(?:german|french|spanish|portuguese|russian)$/u.test(id)).length,
    ).toBeGreaterThan(1);
    expect(
      trigger?.cases.filter(({ conversation: [line] }) => /\p{Script=Han}/u.test(line?.input ?? '')).length,
    ).toBeGreaterThan(1);
    expect(task?.cases.filter(({ script }) => script !== undefined).length).toBeGreaterThanOrEqual(5);
  });
});

test('PSA-31, PSA-35: every task of the builtin skills passes offline, with a model that goes by a script and the real scripts of the skills', async () => {
  const ports = builtinPorts(tasks, scriptedModels);
  const suites = tasks.map(({ suite }) => suite);
  const plan = await planEvals(suites, ports, { models: ['scripted'] });
  const run = await runEvals({ suites, plan }, ports, { concurrency: 4 });
  expect(
    run.results
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ suite, case: id, outcome, reason, answer, checks }) => ({
        id: `${suite}/${id}`,
        outcome,
        reason,
        answer,
        failed: checks.filter(({ verdict }) => verdict !== 'passed'),
      })),
  ).toEqual([]);
  expect(run.results).toHaveLength(plan.jobs.length);
  expect(plan.jobs.length).toBeGreaterThanOrEqual(20);
  // Each of them ran a program, and nothing passes because nothing was looked at.
  for (const result of run.results) {
    expect(result.spent.scripts, result.case).toBeGreaterThan(0);
    expect(result.checks.length, result.case).toBeGreaterThan(2);
  }
  const report = scoreResults(run.results, { title: 'Builtin skills', plan, suites });
  expect(report.verdict.kind).toBe('passed');
}, 120_000);

test('a model that does nothing passes no task, and one that runs nothing but says so neither', async () => {
  const suites = tasks.map(({ suite }) => suite);
  for (const content of ['Done.', 'I have run the script: pages 1, 2, 3, 5 and #12, #14, #17, #18, #19, of notes.']) {
    const lazy = scripted({ rules: [{ reply: { action: { kind: 'final_answer', content } } }] });
    const ports = builtinPorts(tasks, { open: async () => ({ model: lazy }) });
    const plan = await planEvals(suites, ports, { models: ['lazy'] });
    const { results } = await runEvals({ suites, plan }, ports);
    expect(results.map(({ outcome }) => outcome)).toEqual(plan.jobs.map(() => 'failed'));
    expect(scoreResults(results, { title: 'Lazy', plan }).verdict.kind).toBe('failed');
  }
}, 120_000);

test('the harness measures triggers as they are: one that always chooses, one that never does, and one that is dead', async () => {
  const suites = triggers.map(({ suite }) => suite);
  const report = await selfTest(suites, builtinPorts(triggers, scriptedModels));
  expect(report).toEqual({ passed: true, findings: [], cases: suites.flatMap(({ cases }) => cases).length });
}, 120_000);

test('PSA-35: triggers are scored offline from recordings of what a search without a model chose', async () => {
  const suites = triggers.map(({ suite }) => suite);
  const anew = process.env['SKILLPACK_RECORD_EVALS'] !== undefined;
  if (anew) {
    await using models = recordingModels(triggers);
    const ports = builtinPorts(triggers, models);
    const plan = await planEvals(suites, ports, { models: [chooser] });
    await runEvals({ suites, plan }, ports, { concurrency: 1 });
  }
  const ports = builtinPorts(triggers, replayedModels(triggers));
  const plan = await planEvals(suites, ports, { models: [chooser] });
  const { results } = await runEvals({ suites, plan }, ports);
  const report = scoreResults(results, { title: 'Triggers', plan, suites });
  // A request that was not recorded is an error, never a score: SKILLPACK_RECORD_EVALS=1 records it.
  expect(report.counts.error, JSON.stringify(results.find(({ outcome }) => outcome === 'error')?.reason)).toBe(0);
  const [score] = report.triggers;
  // What a search chooses, not what a model would: it finds every request, and takes most near misses for requests.
  expect(score).toMatchObject({
    model: chooser,
    truePositives: 47,
    falseNegatives: 0,
    errors: 0,
    recall: { successes: 47, total: 47 },
    specificity: { successes: 12, total: 31 },
  });
  expect(score?.recall.interval?.low).toBeGreaterThan(0.9);
  // Held to what near misses are to show, it fails, and says by how much.
  const held = scoreResults(results, {
    title: 'Triggers',
    plan,
    suites,
    thresholds: { minRecall: 0.9, minSpecificity: 0.7 },
  });
  expect(held.verdict.kind).toBe('failed');
  expect(held.verdict.reasons.join('\n')).toMatch(/specificity/iu);
  expect(held.verdict.reasons.join('\n')).not.toMatch(/recall/iu);
  const lenient = scoreResults(results, { title: 'Triggers', plan, suites, thresholds: { minRecall: 0.9 } });
  expect(lenient.verdict.kind).toBe('passed');
}, 120_000);

test('a description that is edited makes the recordings fail closed: no score comes of them', async () => {
  const suites = triggers.map(({ suite }) => suite);
  const folder = await mkdtemp(join(tmpdir(), 'skillpack-edited-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'pdf'));
  await writeFile(join(folder, 'pdf', 'SKILL.md'), '---\nname: pdf\ndescription: Reads PDF.\n---\n');
  const ports = builtinPorts(triggers, replayedModels(triggers), catalogue([folder]));
  const plan = await planEvals(suites, ports, { models: [chooser] });
  const { results } = await runEvals({ suites, plan }, ports, { retries: 0 });
  expect(new Set(results.map(({ outcome, reason }) => `${outcome} ${reason?.code}`))).toEqual(
    new Set(['error RECORDING_NOT_FOUND']),
  );
  const report = scoreResults(results, { title: 'Triggers', plan });
  expect(report.verdict.kind).toBe('invalid');
  expect(report.triggers[0]?.recall.value).toBeUndefined();
}, 120_000);

// Scripts of skills are started by the permissions and in the sandbox that people have.
test.skipIf(process.platform === 'win32')(
  'the built command runs the cases of the builtin skills, with the tools that each skill allows itself',
  async () => {
    const out = await mkdtemp(join(tmpdir(), 'skillpack-builtin-'));
    onTestFinished(async () => rm(out, { recursive: true }));
    const command = join(builtinFolder, '..', 'apps/cli/dist/skills.js');
    const words = ['eval', builtinFolder, '--out', out, '--json', '--allow', 'write_file,edit_file'];
    const approved = ['--approve', 'run_script,run_check,write_file,edit_file'];
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words, ...approved], {
      encoding: 'utf8',
      env: { ...process.env, SKILLS_HOME: out, HOME: out },
    });
    expect(status, stdout + stderr).toBe(0);
    const { data } = JSON.parse(stdout) as {
      readonly data: { readonly report: { readonly counts: unknown }; readonly ranks: { readonly first: unknown } };
    };
    expect(data.report.counts).toMatchObject({ passed: 25, failed: 0, inconclusive: 0, error: 0, stopped: 0 });
    expect(data.ranks.first).toMatchObject({ successes: 72, total: 72 });
  },
  120_000,
);
