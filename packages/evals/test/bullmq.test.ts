import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { scripted } from '@skillpack/model-adapters';
import { systemClock } from '@skillpack/runs-fs';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bullmqExecutor, startBullmqWorker, type BullmqExecutorOptions, type BullmqWorker } from '../src/bullmq.js';
import {
  memoryResults,
  planEvals,
  prepareWork,
  runEvals,
  scoreResults,
  type EvalJob,
  type EvalPlan,
  type EvalResult,
} from '../src/index.js';
import { madePlan, madeResult } from './queue/made-plan.js';
import { choose, makePorts, makeSuite, scriptedModels, triggerCase } from './trial-ground.js';
import { collect } from './queue/collect.js';
import { startRedis, withoutRedis, type RedisServer } from './queue/redis-server.js';

const title = 'jobs in a queue of BullMQ';
describe.skipIf(withoutRedis !== false)(withoutRedis === false ? title : `${title} (left out: ${withoutRedis})`, () => {
  let server: RedisServer;
  let count = 0;
  let queue = '';
  const open: BullmqWorker[] = [];
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    server = await startRedis();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map(async (worker) => worker.close({ now: true })));
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  const newQueue = (): string => {
    count += 1;
    queue = `queue-${count}`;
    return queue;
  };
  const executor = (changes: Partial<BullmqExecutorOptions> = {}): ReturnType<typeof bullmqExecutor> =>
    bullmqExecutor({ connection: server.url, queue, ...changes });
  const worker = async (
    plan: EvalPlan,
    work: (job: EvalJob, options: { readonly signal: AbortSignal }) => Promise<EvalResult>,
    changes: { readonly name?: string; readonly concurrency?: number; readonly lock?: number } = {},
  ): Promise<BullmqWorker> => {
    const started = await startBullmqWorker({ connection: server.url, queue, plan, work, ...changes });
    open.push(started);
    return started;
  };
  const inspect = async <Answer>(look: (queue: Queue) => Promise<Answer>): Promise<Answer> => {
    const client = new Redis(server.url, { maxRetriesPerRequest: null });
    const inspected = new Queue(queue, { connection: client });
    try {
      return await look(inspected);
    } finally {
      await inspected.close();
      client.disconnect();
    }
  };
  const startProcess = (
    file: string,
    args: readonly string[],
  ): { readonly child: ChildProcess; said(line: string): Promise<void> } => {
    const folder = join(import.meta.dirname, 'queue');
    const sources = join(import.meta.dirname, '../../../test/registry/resolve-sources.ts');
    const flags = ['--conditions=skillpack-source', '--import', sources, join(folder, file)];
    const child = spawn(process.execPath, [...flags, server.url, queue, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let said = '';
    child.stdout?.setEncoding('utf8');
    child.stdout?.on('data', (text: string) => {
      said += text;
    });
    return {
      child,
      said: async (line) => {
        await expect.poll(() => said.split('\n')).toContain(line);
      },
    };
  };

  test('each job is done once, by one of several workers, and its result is given once', async () => {
    newQueue();
    const plan = madePlan('spread', 40);
    const done: string[] = [];
    const by = new Set<string>();
    for (const name of ['first', 'second']) {
      await worker(
        plan,
        async (job) => {
          done.push(job.case);
          by.add(name);
          await new Promise((resolve) => setTimeout(resolve, 20));
          return madeResult(job, { answer: name });
        },
        { name, concurrency: 2 },
      );
    }
    const results = await collect(executor(), plan.jobs);
    expect(results.map((result) => result.key).toSorted()).toEqual(plan.jobs.map(({ key }) => key).toSorted());
    expect(done.toSorted()).toEqual(plan.jobs.map((job) => job.case).toSorted());
    expect([...by].toSorted()).toEqual(['first', 'second']);
    expect(results.map(({ answer }) => answer)).toEqual(expect.arrayContaining(['first', 'second']));
    // Nothing is left: the log of whoever ordered them has the results.
    expect(
      await inspect(async (inspected) => inspected.getJobCountByTypes('completed', 'failed', 'waiting', 'active')),
    ).toBe(0);
  });

  test('a job that two ask for at the same time is done once', async () => {
    newQueue();
    const plan = madePlan('twice', 6);
    const done: string[] = [];
    const orders = [collect(executor(), plan.jobs), collect(executor(), plan.jobs.slice(0, 6))];
    await expect
      .poll(async () => inspect(async (inspected) => inspected.getJobCountByTypes('waiting')))
      .toBe(plan.jobs.length);
    await worker(plan, async (job) => {
      done.push(job.case);
      await new Promise((resolve) => setTimeout(resolve, 30));
      return madeResult(job);
    });
    await Promise.race(orders);
    expect(done.slice(0, 6).toSorted()).toEqual(plan.jobs.map((job) => job.case).toSorted());
    // Whoever comes second may have to order again what the first one took away: at least once is what is promised.
    for (const results of await Promise.all(orders)) expect(results).toHaveLength(6);
  });

  test('results that a run ordered and did not collect are taken by the next one, and nothing is done twice', async () => {
    newQueue();
    const plan = madePlan('left', 5);
    const first = startProcess('order-process.ts', ['left', '5']);
    const done: string[] = [];
    await worker(
      plan,
      async (job) => {
        if (done.length === 0) {
          first.child.kill('SIGKILL');
          await once(first.child, 'exit');
        }
        done.push(job.case);
        return madeResult(job);
      },
      { concurrency: 1 },
    );
    await expect.poll(() => done).toHaveLength(5);
    expect(await collect(executor(), plan.jobs)).toHaveLength(5);
    expect(done).toHaveLength(5);
  });

  test('results that an earlier run left are not taken where they are not wanted, nor those of trials that were not scored', async () => {
    newQueue();
    const plan = madePlan('anew', 3);
    let outcome: EvalResult['outcome'] = 'error';
    let done = 0;
    await worker(plan, async (job) => {
      done += 1;
      return madeResult(job, { outcome, answer: `number ${done}` });
    });
    // Ordered by hand, and never collected.
    const order = async (): Promise<void> => {
      await inspect(async (inspected) => {
        await inspected.addBulk(
          plan.jobs.map(({ key }) => ({ name: 'trial', data: { key }, opts: { jobId: key.replace(':', '-') } })),
        );
        await expect.poll(async () => inspected.getCompletedCount()).toBe(3);
      });
    };
    await order();
    outcome = 'passed';
    const again = await collect(executor(), plan.jobs);
    expect(again.map((result) => result.outcome)).toEqual(['passed', 'passed', 'passed']);
    expect(done).toBe(6);
    await order();
    expect(done).toBe(9);
    await collect(executor({ reuse: false }), plan.jobs);
    expect(done).toBe(12);
  });

  test('a worker whose process dies loses nothing: another one does its job anew', async () => {
    newQueue();
    const plan = madePlan('killed', 3);
    const dying = startProcess('worker-process.ts', ['killed', '3', 'case-1', 'case-2', 'case-3']);
    await dying.said('ready');
    const results = collect(executor(), plan.jobs);
    await dying.said('case-1');
    dying.child.kill('SIGKILL');
    await worker(plan, async (job) => madeResult(job, { answer: 'from the other' }), { lock: 1000 });
    expect((await results).map(({ answer }) => answer)).toEqual(['from the other', 'from the other', 'from the other']);
  });

  test('a job that takes every worker with it is lost and told; the results of all others are there', async () => {
    newQueue();
    const plan = madePlan('deadly', 4);
    const [deadly] = plan.jobs;
    const results: EvalResult[] = [];
    const run = collect(executor(), plan.jobs, { into: results });
    const told = run.catch((error: unknown) => error);
    for (let round = 0; round < 2; round += 1) {
      const dying = startProcess('worker-process.ts', ['deadly', '4', 'case-1']);
      await dying.said('case-1');
      dying.child.kill('SIGKILL');
      await once(dying.child, 'exit');
    }
    await worker(plan, async (job) => madeResult(job), { lock: 1000 });
    const error = await told;
    expect(SkillsError.is(error, 'EXIT_NONZERO')).toBe(true);
    expect(error).toMatchObject({ data: { keys: [deadly?.key] }, message: expect.stringContaining('stalled') });
    expect(results.map((result) => result.case).toSorted()).toEqual(['case-2', 'case-3', 'case-4']);
  });

  test('a job whose work throws is told at the end with what it threw, and is done by the next run', async () => {
    newQueue();
    const plan = madePlan('throws', 3);
    let broken = true;
    await worker(plan, async (job) => {
      if (broken && job.case === 'case-2') throw new Error('The disk is\u001b[31m full.');
      return madeResult(job);
    });
    const results: EvalResult[] = [];
    const error: unknown = await collect(executor(), plan.jobs, { into: results }).catch((thrown: unknown) => thrown);
    expect(SkillsError.is(error, 'EXIT_NONZERO')).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining('The disk is<U+001B>[31m full.') });
    expect(results).toHaveLength(2);
    broken = false;
    expect(await collect(executor(), plan.jobs.slice(1, 2))).toHaveLength(1);
  });

  test('a worker with another plan refuses, ends, and leaves the job to one with the right plan', async () => {
    newQueue();
    const plan = madePlan('right', 2);
    const other = madePlan('wrong', 2);
    let touched = false;
    const refusing = await worker(
      other,
      async (job) => {
        touched = true;
        return madeResult(job);
      },
      { name: 'stale' },
    );
    const results = collect(executor({ plan: plan.digest }), plan.jobs);
    const error: unknown = await refusing.finished.catch((thrown: unknown) => thrown);
    expect(SkillsError.is(error, 'SHARD_MISMATCH')).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining(plan.digest) });
    expect(error).toMatchObject({ message: expect.stringContaining(other.digest) });
    await worker(plan, async (job) => madeResult(job));
    expect(await results).toHaveLength(2);
    expect(touched).toBe(false);
  });

  test('where only workers with another plan come, the run ends and says which', async () => {
    newQueue();
    const plan = madePlan('ours', 2);
    const other = madePlan('theirs', 2);
    await worker(other, async (job) => madeResult(job), { name: 'stale' });
    const error: unknown = await collect(executor({ patience: 700, plan: plan.digest }), plan.jobs).catch(
      (thrown: unknown) => thrown,
    );
    expect(SkillsError.is(error, 'SHARD_MISMATCH')).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining(`The worker stale`) });
    expect(error).toMatchObject({ message: expect.stringContaining(other.digest) });
    // What nobody did does not stay for somebody who has forgotten it.
    expect(await inspect(async (inspected) => inspected.getJobCountByTypes('waiting', 'active'))).toBe(0);
  });

  test('where nobody works, the run ends and says so', async () => {
    newQueue();
    const error: unknown = await collect(executor({ patience: 300 }), madePlan('nobody', 2).jobs).catch(
      (thrown: unknown) => thrown,
    );
    expect(SkillsError.is(error, 'TIMEOUT')).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining('2 jobs wait') });
  });

  test('a run that is cancelled takes out what waits, and calls off what is under way', async () => {
    newQueue();
    const plan = madePlan('cancelled', 6);
    const cancel = new AbortController();
    let calledOff = 0;
    let begun = 0;
    await worker(
      plan,
      async (job, { signal }) => {
        begun += 1;
        if (job.case === 'case-1') return madeResult(job);
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        calledOff += 1;
        return madeResult(job, { outcome: 'stopped', reason: { code: 'INTERRUPTED', message: 'It was cancelled.' } });
      },
      { concurrency: 2 },
    );
    const results: EvalResult[] = [];
    const run = collect(executor(), plan.jobs, { signal: cancel.signal, into: results });
    await expect.poll(() => [results.length, begun]).toEqual([1, 3]);
    cancel.abort();
    await run;
    expect(results.map((result) => result.case)).toEqual(['case-1']);
    await expect.poll(() => calledOff).toBe(2);
    expect(begun).toBe(3);
    expect(await inspect(async (inspected) => inspected.getJobCountByTypes('waiting', 'active', 'delayed'))).toBe(0);
    // What was called off is no result: the next run does it.
    const next = collect(executor(), plan.jobs.slice(1, 3));
    await Promise.all(open.splice(0).map(async (leaving) => leaving.close({ now: true })));
    await worker(plan, async (job) => madeResult(job, { answer: 'anew' }));
    expect((await next).map(({ answer }) => answer)).toEqual(['anew', 'anew']);
  });

  test('where a budget is spent, what others have under way is waited for, and what waits is taken out', async () => {
    newQueue();
    const suites = [
      makeSuite(Array.from({ length: 40 }, (_unused, index) => triggerCase(`case-${index + 1}`, { allOf: ['pdf'] }))),
    ];
    const ports = makePorts({ clock: systemClock });
    const plan = await planEvals(suites, ports, { models: ['scripted'] });
    const message = 'The budget of $1 is spent.';
    const poor = Promise.withResolvers<void>();
    const rich = Promise.withResolvers<void>();
    let calledOff = 0;
    for (const [name, held] of [
      ['poor', poor],
      ['rich', rich],
    ] as const) {
      const work = async (job: EvalJob, { signal }: { readonly signal: AbortSignal }): Promise<EvalResult> => {
        signal.addEventListener('abort', () => (calledOff += 1), { once: true });
        await held.promise;
        if (name === 'rich') return madeResult(job, { answer: 'in peace' });
        // Whatever it takes before it is told that nothing more is to be begun ends in the same way.
        await new Promise((resolve) => setTimeout(resolve, 50));
        return madeResult(job, { outcome: 'stopped', reason: { code: 'BUDGET_EXHAUSTED', message } });
      };
      await worker(plan, work, { name, concurrency: 2 });
    }
    const results = memoryResults();
    const running = runEvals({ suites, plan }, { ...ports, results }, { executor: executor() });
    await expect.poll(async () => inspect(async (inspected) => inspected.getActiveCount())).toBe(4);
    poor.resolve();
    await expect.poll(async () => (await results.read()).length).toBeGreaterThanOrEqual(1);
    await expect.poll(async () => inspect(async (inspected) => inspected.getWaitingCount())).toBe(0);
    await expect.poll(async () => inspect(async (inspected) => inspected.getActiveCount())).toBe(2);
    rich.resolve();
    const run = await running;
    expect(run.stoppedBy).toEqual({ code: 'BUDGET_EXHAUSTED', message });
    expect(run.results.filter(({ answer }) => answer === 'in peace')).toHaveLength(2);
    expect(run.results.length).toBeLessThan(20);
    expect(calledOff).toBe(0);
    expect(await inspect(async (inspected) => inspected.getJobCountByTypes())).toBe(0);
  });

  test('a run that waits for what is under way after a budget is spent can be cancelled', async () => {
    newQueue();
    const plan = madePlan('impatient', 2);
    const [enough, cancel] = [new AbortController(), new AbortController()];
    let begun = 0;
    let calledOff = 0;
    await worker(plan, async (job, { signal }) => {
      begun += 1;
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      calledOff += 1;
      return madeResult(job, { outcome: 'stopped', reason: { code: 'INTERRUPTED', message: 'It was cancelled.' } });
    });
    const signal = AbortSignal.any([enough.signal, cancel.signal]);
    let ended = false;
    const run = collect(executor(), plan.jobs, { signal, cancelled: cancel.signal }).finally(() => (ended = true));
    await expect.poll(() => begun).toBe(2);
    enough.abort();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([ended, calledOff]).toEqual([false, 0]);
    cancel.abort();
    expect(await run).toEqual([]);
    await expect.poll(() => calledOff).toBe(2);
  });

  test('what another run on the same queue called off is done for the one that still waits', async () => {
    newQueue();
    const plan = madePlan('shared', 2);
    const cancel = new AbortController();
    let begun = 0;
    await worker(plan, async (job, { signal }) => {
      begun += 1;
      if (begun > 2) return madeResult(job, { answer: 'anew' });
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      return madeResult(job, { outcome: 'stopped', reason: { code: 'INTERRUPTED', message: 'It was cancelled.' } });
    });
    const staying = collect(executor(), plan.jobs);
    const leaving = collect(executor(), plan.jobs, { signal: cancel.signal });
    await expect.poll(() => begun).toBe(2);
    // The one that leaves has looked at them, too.
    await new Promise((resolve) => setTimeout(resolve, 300));
    cancel.abort();
    expect(await leaving).toEqual([]);
    expect((await staying).map(({ answer }) => answer)).toEqual(['anew', 'anew']);
  });

  test('a job that is called off again and again is lost at last, and told', async () => {
    newQueue();
    const plan = madePlan('refused', 1);
    let begun = 0;
    await worker(plan, async (job) => {
      begun += 1;
      return madeResult(job, { outcome: 'stopped', reason: { code: 'INTERRUPTED', message: 'It was cancelled.' } });
    });
    const error: unknown = await collect(executor(), plan.jobs).catch((thrown: unknown) => thrown);
    expect(SkillsError.is(error, 'EXIT_NONZERO')).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining('it was called off 5 times') });
    expect(begun).toBe(5);
  });

  test('results do not pile up in the stream of events, and nothing but a few bytes is left after a run', async () => {
    newQueue();
    const plan = madePlan('long', 600);
    await worker(plan, async (job) => madeResult(job, { answer: 'a'.repeat(10_000) }), { concurrency: 20 });
    const client = new Redis(server.url);
    try {
      let most = 0;
      const order = executor();
      const signal = new AbortController().signal;
      let taken = 0;
      for await (const result of order.execute(plan.jobs, async () => Promise.reject(new Error('elsewhere')), {
        signal,
      })) {
        taken += result.answer.length;
        if (taken % 500_000 === 0) most = Math.max(most, await client.xlen(`bull:${queue}:events`));
      }
      expect(taken).toBe(6_000_000);
      expect(most).toBeLessThan(400);
      expect(await client.xlen(`bull:${queue}:events`)).toBeLessThan(10);
      await Promise.all(open.splice(0).map(async (working) => working.close()));
      let bytes = 0;
      for (const key of await client.keys(`*${queue}:*`)) bytes += (await client.memory('USAGE', key)) ?? 0;
      expect(bytes).toBeLessThan(20_000);
    } finally {
      client.disconnect();
    }
  });

  test('a worker that is closed at once puts its job back, and one that is closed ends it first', async () => {
    newQueue();
    const plan = madePlan('leaves', 2);
    const leaving = await worker(
      plan,
      async (job, { signal }) => {
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        return madeResult(job, { outcome: 'stopped', reason: { code: 'INTERRUPTED', message: 'It was cancelled.' } });
      },
      { concurrency: 1 },
    );
    const results = collect(executor(), plan.jobs);
    await expect.poll(async () => inspect(async (inspected) => inspected.getActiveCount())).toBe(1);
    await leaving.close({ now: true });
    await leaving.finished;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const patient = await worker(
      plan,
      async (job) => {
        await held;
        return madeResult(job, { answer: 'in peace' });
      },
      { concurrency: 2 },
    );
    await expect.poll(async () => inspect(async (inspected) => inspected.getActiveCount())).toBe(2);
    const closing = patient.close();
    release();
    await closing;
    expect((await results).map(({ answer, outcome }) => [answer, outcome])).toEqual([
      ['in peace', 'passed'],
      ['in peace', 'passed'],
    ]);
  });

  test('what somebody else writes into the queue is no result', async () => {
    newQueue();
    const plan = madePlan('forged', 2);
    const forge = async (value: (key: string) => unknown): Promise<unknown> => {
      newQueue();
      const client = new Redis(server.url, { maxRetriesPerRequest: null });
      const forger = new Worker<{ readonly key: string }>(queue, async (job) => value(job.data.key), {
        connection: client,
      });
      try {
        return await collect(executor(), plan.jobs.slice(0, 1)).catch((thrown: unknown) => thrown);
      } finally {
        await forger.close();
        client.disconnect();
      }
    };
    const [ours, theirs] = plan.jobs;
    if (ours === undefined || theirs === undefined) throw new Error('There are two.');
    for (const value of [
      null,
      'passed',
      {},
      { ...madeResult(ours), outcome: 'perfect' },
      madeResult(theirs),
      { ...madeResult(ours), model: 'better' },
    ]) {
      const error = await forge(() => value);
      expect(SkillsError.is(error, 'INVALID_RESULTS'), JSON.stringify(value)).toBe(true);
    }
    expect(await forge(() => madeResult(ours))).toHaveLength(1);
  });

  test('what somebody else puts into the queue makes a worker do nothing but its own plan', async () => {
    newQueue();
    const plan = madePlan('own', 1);
    const done: EvalJob[] = [];
    const careful = await worker(plan, async (job) => {
      done.push(job);
      return madeResult(job);
    });
    const [job] = plan.jobs;
    await inspect(async (inspected) => {
      // Our key with somebody else's model: the worker goes by its own plan.
      await inspected.add('trial', { ...job, model: 'expensive:model', case: '../../etc' }, { jobId: 'a' });
      await expect.poll(async () => inspected.getCompletedCount()).toBe(1);
      await inspected.add('trial', { key: '__proto__', plan: 'x\u001b[31m' }, { jobId: 'b' });
    });
    const error: unknown = await careful.finished.catch((thrown: unknown) => thrown);
    expect(done).toEqual([job]);
    expect(SkillsError.is(error, 'SHARD_MISMATCH')).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining('x<U+001B>[31m') });
  });

  test('PSA-35: a whole run is done by workers with the same suites, and its results are those of the machine that ordered it', async () => {
    newQueue();
    const cases = Array.from({ length: 8 }, (_unused, index) =>
      triggerCase(`case-${index + 1}`, { allOf: [index < 6 ? 'pdf' : 'docx'] }),
    );
    const suites = [makeSuite(cases)];
    const ports = makePorts({ clock: systemClock });
    const plan = await planEvals(suites, ports, { models: ['scripted'], trials: 2 });
    const begun: string[] = [];
    for (const name of ['first', 'second']) {
      const models = scriptedModels(() => scripted(Array.from({ length: 50 }, () => choose('pdf'))));
      const onStart = ({ key }: EvalJob): void => {
        begun.push(key);
      };
      await worker(plan, prepareWork({ suites, plan }, { ...ports, models }, { onStart }), { name, concurrency: 2 });
    }
    // Whoever orders has neither a model nor a place for trials.
    const nowhere = async (): Promise<never> => {
      throw new Error('No trial is run here.');
    };
    const ordering = { ...ports, models: { open: nowhere }, ground: { open: nowhere }, results: memoryResults() };
    const run = await runEvals({ suites, plan }, ordering, { executor: executor({ plan: plan.digest }) });
    expect(run.stoppedBy).toBeUndefined();
    expect(run.results.map(({ key }) => key)).toEqual(plan.jobs.map(({ key }) => key));
    expect(begun.toSorted()).toEqual(plan.jobs.map(({ key }) => key).toSorted());
    const report = scoreResults(run.results, { title: 'Over a queue', plan });
    expect(report.counts).toMatchObject({ passed: 12, failed: 4, error: 0 });
    const again = await runEvals({ suites, plan }, ordering, { executor: executor() });
    expect([again.reused, begun.length]).toEqual([16, 16]);
  });
});
