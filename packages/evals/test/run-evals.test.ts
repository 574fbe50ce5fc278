import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { SkillsError, type ModelAdapter } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { scripted } from '@skillpack/model-adapters';
import { systemClock } from '@skillpack/runs-fs';
import { describe, expect, test } from 'vitest';
import {
  formatResult,
  formatPlan,
  formatShard,
  inProcess,
  memoryResults,
  mergeShards,
  parsePlan,
  parseResults,
  parseShard,
  planEvals,
  prepareWork,
  runEvals,
  shardPlan,
  type EvalExecutor,
  type EvalJob,
  type EvalPorts,
  type EvalResult,
  type EvalSuite,
} from '../src/index.js';
import { resultsFile } from '../src/node.js';
import {
  answer,
  builtinSkills,
  diskGround,
  makeCase,
  makePorts,
  makeSuite,
  scriptedModels,
  sha256,
  smallCatalogue,
  triggerCase,
} from './trial-ground.js';

const pdfFile = new URL('../../../skills-builtin/pdf/evals/files/order-form.pdf', import.meta.url);

async function formCase() {
  return makeCase({
    id: 'reads-a-form',
    conversation: [{ input: 'Who filled in order-form.pdf?' }],
    files: [{ path: 'in/order-form.pdf', bytes: await readFile(pdfFile) }],
    expected: {
      skills: { allOf: ['pdf'] },
      actions: [
        {
          kind: 'before',
          first: { action: 'select_skills', skill: '$SKILL' },
          // eslint-disable-next-line unicorn/no-thenable -- it is no function
          then: { action: 'run_script', skill: '$SKILL' },
        },
        { kind: 'occurs', step: { action: 'run_script', skill: 'pdf', ok: true }, atLeast: 1 },
      ],
      output: [
        {
          kind: 'contains',
          of: { kind: 'answer' },
          texts: ['Ada Lovelace'],
          mode: 'all',
          caseless: false,
          negated: false,
        },
        { kind: 'file', path: 'notes.md', negated: false },
      ],
      disclosure: true,
      approvals: true,
    },
    script: {
      formatVersion: 1,
      rules: [
        { when: { turn: 1 }, decide: { kind: 'select_skills', skills: [{ name: 'pdf' }], reason: 'A form.' } },
        {
          when: { after: 'select_skills' },
          decide: {
            kind: 'run_script',
            skill: { name: 'pdf' },
            relative_path: 'scripts/pdf.mjs',
            args: ['info', 'in/order-form.pdf', '--json'],
          },
        },
        {
          when: { after: 'run_script' },
          decide: { kind: 'call_tool', tool: 'write_file', input: { path: 'notes.md', content: 'A form.' } },
        },
        {
          when: { saw: { regex: '(Ada Lovelace)' } },
          decide: { kind: 'final_answer', content: 'It was $1.' },
        },
      ],
    },
  });
}

test('PSA-35: a whole run on the disk: real skills, a real script, a workspace of its own, a log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'evals-'));
  const chooses = {
    formatVersion: 1,
    replies: [{ decide: { kind: 'select_skills', skills: [{ name: 'pdf' }], reason: 'It is one.' } }],
  };
  const suite = makeSuite([await formCase(), triggerCase('asks-for-a-pdf', { allOf: ['pdf'] }, { script: chooses })]);
  const path = join(folder, 'out', 'results.jsonl');
  const workspaces = join(folder, 'workspaces');
  await mkdir(workspaces);
  await using results = resultsFile(path);
  const ports = {
    ...makePorts({ registry: builtinSkills(), ground: diskGround({ folder: workspaces }), results }),
    clock: systemClock,
  };
  const plan = await planEvals([suite], ports, { models: ['scripted'] });
  const run = await runEvals({ suites: [suite], plan }, ports);
  const [form, choice] = run.results;
  expect([form?.outcome, choice?.outcome]).toEqual(['passed', 'passed']);
  expect(form).toMatchObject({
    answer: 'It was Ada Lovelace.',
    fired: ['pdf'],
    files: [{ path: 'notes.md', size: 7 }],
    spent: { turns: 4, toolCalls: 3, scripts: 1 },
  });
  expect(await readdir(workspaces)).toEqual([]);
  expect(parseResults(await readFile(path, 'utf8')).toSorted((a, b) => a.case.localeCompare(b.case))).toEqual([
    choice,
    form,
  ]);
  // Nothing is run a second time.
  const again = await runEvals(
    { suites: [suite], plan },
    { ...ports, models: { open: async () => Promise.reject(new Error('Nobody is asked.')) } },
  );
  expect(again).toEqual({ plan, results: run.results, reused: 2 });
});

const sources = fileURLToPath(new URL('../../../test/registry/resolve-sources.ts', import.meta.url));
const forEver = fileURLToPath(new URL('fixtures/run-for-ever.ts', import.meta.url));

const start = (...args: readonly string[]): ChildProcessByStdio<null, Readable, null> =>
  spawn(process.execPath, ['--conditions=skillpack-source', '--import', sources, forEver, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

test('PSA-35: a run that is killed goes on where it ended, and asks no model twice for what is in the log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'evals-'));
  const path = join(folder, 'results.jsonl');
  const first = start(path, folder, 'slow');
  const ended = once(first, 'exit');
  await once(first.stdout, 'data');
  first.kill('SIGKILL');
  await ended;
  const left = await resultsFile(path).read();
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(40);
  // As if it had been killed in the middle of a line.
  await appendFile(path, formatResult({ ...(left[0] as EvalResult), case: 'torn' }).slice(0, 300));
  const second = start(path, folder, 'fast');
  let said = '';
  second.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await once(second, 'exit');
  expect(JSON.parse(said.trim().split('\n').at(-1) ?? '')).toEqual({
    reused: left.length,
    asked: 40 - left.length,
    passed: 40,
  });
  expect(new Set((await resultsFile(path).read()).map(({ key }) => key)).size).toBe(40);
});

const answering = () => scriptedModels(() => scripted([answer('x')]));

async function prepared(count: number, more: Partial<EvalPorts> = {}) {
  const suites = [makeSuite(Array.from({ length: count }, (_, at) => makeCase({ id: `case-${at}` })))];
  const ports = makePorts({ models: answering(), ...more });
  const plan = await planEvals(suites, ports, { models: ['m'] });
  return { work: { suites, plan }, ports };
}

describe('what was run before', () => {
  test('counts, but for errors and what was stopped; `fresh` runs everything anew', async () => {
    const { work, ports } = await prepared(3);
    const first = await runEvals(work, ports);
    const [one, two] = first.results as readonly [EvalResult, EvalResult];
    await ports.results.append({ ...one, outcome: 'error' });
    await ports.results.append({ ...two, outcome: 'stopped' });
    const models = answering();
    const told: string[] = [];
    const second = await runEvals(
      work,
      { ...ports, models },
      {
        onResult: ({ case: id }, { reused }) => void told.push(`${id} ${reused ? 'again' : 'new'}`),
      },
    );
    expect([models.opened, second.reused]).toEqual([2, 1]);
    expect(second.results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed']);
    expect(told.toSorted()).toEqual(['case-0 new', 'case-1 new', 'case-2 again']);
    const anew = answering();
    expect((await runEvals(work, { ...ports, models: anew }, { fresh: true })).reused).toBe(0);
    expect(anew.opened).toBe(3);
  });

  test('counts with the tags that its case has now', async () => {
    const { work, ports } = await prepared(1);
    await runEvals(work, ports);
    const tagged = makeSuite([makeCase({ id: 'case-0', tags: ['near-miss'] })]);
    const plan = await planEvals([tagged], ports, { models: ['m'] });
    const run = await runEvals({ suites: [tagged], plan }, ports);
    expect([run.reused, run.results[0]?.tags]).toEqual([1, ['near-miss']]);
  });

  test('does not count under the name of another trial', async () => {
    const { work, ports } = await prepared(1);
    const [result] = (await runEvals(work, ports)).results as readonly [EvalResult];
    const results = memoryResults([{ ...result, case: 'another' }]);
    expect((await runEvals(work, { ...ports, results })).reused).toBe(0);
  });
});

describe('a run', () => {
  test('that is cancelled leaves a log that is whole, and goes on from there', async () => {
    const controller = new AbortController();
    const started: string[] = [];
    let asked = 0;
    const hanging: ModelAdapter = {
      name: 'm',
      contextTokens: 100_000,
      decide: async (request, options) => {
        asked += 1;
        if (asked <= 2) return scripted([answer('x')]).decide(request, options);
        controller.abort();
        return new Promise((_resolve, reject) => {
          const end = (): void => reject(new SkillsError('INTERRUPTED', 'Aborted.'));
          if (options.signal.aborted) end();
          else options.signal.addEventListener('abort', end);
        });
      },
    };
    const { work, ports } = await prepared(10, { models: { open: async () => ({ model: hanging }) } });
    const run = await runEvals(work, ports, {
      concurrency: 1,
      signal: controller.signal,
      onStart: ({ case: id }) => void started.push(id),
    });
    expect(run.stoppedBy).toEqual({ code: 'INTERRUPTED', message: 'It was cancelled.' });
    expect(run.results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'stopped']);
    expect(started).toEqual(['case-0', 'case-1', 'case-2']);
    expect(await ports.results.read()).toEqual(run.results);
    const again = await runEvals(work, { ...ports, models: answering() });
    expect([again.reused, again.results.length, again.stoppedBy]).toEqual([2, 10, undefined]);
  });

  test('that is cancelled before it begins runs nothing', async () => {
    const { work, ports } = await prepared(2);
    const run = await runEvals(work, ports, { signal: AbortSignal.abort() });
    expect([run.results, run.stoppedBy?.code]).toEqual([[], 'INTERRUPTED']);
  });

  test('that is cancelled while it waits to try again keeps the error', async () => {
    const controller = new AbortController();
    const clock = { ...fakeClock(), pause: async () => controller.abort() };
    const ground = { open: async () => Promise.reject(new SkillsError('OVERLOADED', 'No room.')) };
    const { work, ports } = await prepared(1, { ground });
    const run = await runEvals(work, { ...ports, clock }, { signal: controller.signal });
    expect(run.results).toEqual([expect.objectContaining({ outcome: 'error', attempts: 1 })]);
    expect(run.results[0]?.reason?.code).toBe('OVERLOADED');
  });

  test('has so many trials at the same time, and no more', async () => {
    let [now, most] = [0, 0];
    const slow: ModelAdapter = {
      name: 'm',
      contextTokens: 100_000,
      decide: async (...call) => {
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        return scripted([answer('x')]).decide(...call);
      },
    };
    const { work, ports } = await prepared(12, { models: { open: async () => ({ model: slow }) } });
    await runEvals(work, ports, { concurrency: 3 });
    expect(most).toBe(3);
  });

  test('ends with what its listener throws, and the log holds what was told', async () => {
    const { work, ports } = await prepared(5);
    const onResult = (): void => {
      throw new Error('no more');
    };
    await expect(runEvals(work, ports, { onResult, concurrency: 1 })).rejects.toThrow('no more');
    expect(await ports.results.read()).toHaveLength(1);
  });

  test('ends with what its log throws', async () => {
    const { work, ports } = await prepared(2);
    const results = { read: async () => [], append: async () => Promise.reject(new SkillsError('IO_ERROR', 'Full.')) };
    await expect(runEvals(work, { ...ports, results })).rejects.toMatchObject({ code: 'IO_ERROR' });
  });

  test('takes a result that an executor gives twice once, and none of a job that it did not ask for', async () => {
    const { work, ports } = await prepared(2);
    const sound = inProcess();
    const executor: EvalExecutor = {
      async *execute(...call) {
        for await (const result of sound.execute(...call)) yield* [result, result, { ...result, key: sha256('x') }];
      },
    };
    const run = await runEvals(work, ports, { executor });
    expect(run.results).toHaveLength(2);
    expect(await ports.results.read()).toHaveLength(2);
  });

  test('takes no result that an executor gives under the key of another job', async () => {
    const { work, ports } = await prepared(2);
    const sound = inProcess();
    const executor: EvalExecutor = {
      async *execute(...call) {
        for await (const result of sound.execute(...call)) yield { ...result, case: 'case-0', outcome: 'passed' };
      },
    };
    await expect(runEvals(work, ports, { executor })).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining('1 job'),
    });
    expect((await ports.results.read()).map(({ case: id }) => id)).toEqual(['case-0']);
  });

  test('that is run anew and is ended early does not count what was there before', async () => {
    const { work, ports } = await prepared(3);
    await runEvals(work, ports);
    const controller = new AbortController();
    const options = { fresh: true, concurrency: 1, signal: controller.signal, onResult: () => controller.abort() };
    const run = await runEvals(work, ports, options);
    expect(run).toMatchObject({ reused: 0, stoppedBy: { code: 'INTERRUPTED' } });
    expect(run.results.map(({ case: id }) => id)).toEqual(['case-0']);
  });

  test('of a plan whose case, skills or judge were changed since is refused, so that nothing bears the key of something else', async () => {
    const rubric = { kind: 'rubric', statement: 'It is kind.', negated: false } as const;
    const held = { actions: [], output: [rubric], disclosure: true, approvals: true };
    const suites = [makeSuite([makeCase({ id: 'a', expected: held })])];
    const judge = { name: 'one', judge: async () => Promise.reject(new SkillsError('IO_ERROR', 'No.')) };
    const ports = makePorts({ models: answering(), judge });
    const plan = parsePlan(formatPlan(await planEvals(suites, ports, { models: ['m'], variant: 'x' })));
    const other = {
      'pdf/SKILL.md': '---\nname: pdf\ndescription: Read and merge PDF files.\n---\n# pdf\n\nOtherwise.\n',
    };
    const changes: readonly (readonly [readonly EvalSuite[], Partial<EvalPorts>])[] = [
      [[makeSuite([makeCase({ id: 'a', conversation: [{ input: 'Another.' }], expected: held })])], {}],
      [suites, { registry: smallCatalogue(other) }],
      [suites, { judge: { ...judge, name: 'another' } }],
    ];
    for (const [changed, more] of changes) {
      const running = runEvals({ suites: changed, plan }, { ...ports, ...more });
      await expect(running).rejects.toMatchObject({ code: 'SHARD_MISMATCH' });
    }
    expect(await ports.results.read()).toEqual([]);
    expect((await runEvals({ suites, plan }, ports, { retries: 0 })).results).toHaveLength(1);
  });

  test('of a plan that was edited is refused, and so is a shard of it with other jobs', async () => {
    const { work, ports } = await prepared(3);
    const { plan } = work;
    const [first] = plan.jobs;
    if (first === undefined) throw new Error('There is no job.');
    const another = { ...first, key: sha256('another') };
    for (const jobs of [plan.jobs.slice(1), plan.jobs.toReversed(), [...plan.jobs, first], [...plan.jobs, another]]) {
      const edited = { ...work, plan: { ...plan, jobs } };
      await expect(runEvals(edited, ports)).rejects.toMatchObject({ code: 'SHARD_MISMATCH' });
    }
    const shard = shardPlan(plan, { index: 1, count: 2 });
    const more = { ...shard, keys: [...shard.keys, sha256('another')] };
    await expect(runEvals(work, ports, { shard: more })).rejects.toMatchObject({ code: 'SHARD_MISMATCH' });
    expect(await ports.results.read()).toEqual([]);
  });

  test('is one shard of a plan, and of no other', async () => {
    const { work, ports } = await prepared(5);
    const shards = [1, 2].map((index) => shardPlan(work.plan, { index, count: 2 }));
    const parts = [];
    for (const shard of shards) {
      const results = memoryResults();
      const run = await runEvals(work, { ...ports, results }, { shard });
      expect(run.results.map(({ key }) => key)).toEqual(shard.keys);
      parts.push({ shard: parseShard(formatShard(shard)), results: await results.read() });
    }
    expect(mergeShards(parts).results).toHaveLength(5);
    const other = await prepared(6);
    const shard = shardPlan(other.work.plan, { index: 1, count: 2 });
    await expect(runEvals(work, ports, { shard })).rejects.toMatchObject({ code: 'SHARD_MISMATCH' });
  });

  test('of a plan that was made of other cases is refused', async () => {
    const { work, ports } = await prepared(2);
    const suites = [makeSuite([makeCase({ id: 'case-0' })])];
    await expect(runEvals({ ...work, suites }, ports)).rejects.toMatchObject({ code: 'SHARD_MISMATCH' });
    const stray = { ...(work.plan.jobs[0] as EvalJob), key: sha256('another') };
    const doJob = prepareWork(work, ports);
    await expect(doJob(stray, { signal: new AbortController().signal })).rejects.toMatchObject({
      code: 'SHARD_MISMATCH',
    });
  });

  test('with options that make no sense is refused before anything is run', async () => {
    const { work, ports } = await prepared(1);
    for (const options of [
      { concurrency: 0 },
      { concurrency: 1.5 },
      { retries: -1 },
      { retries: 1e9 },
      { concurency: 2 },
    ]) {
      await expect(runEvals(work, ports, options as never)).rejects.toMatchObject({ code: 'USAGE' });
    }
    expect(await ports.results.read()).toEqual([]);
    expect((await runEvals(work, ports, { retries: 100, concurrency: 1_000 })).results).toHaveLength(1);
  });
});
