import { inspect as inspectValue } from 'node:util';
import { SkillsError } from '@skillpack/core';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bullmqExecutor, startBullmqWorker } from '../src/bullmq.js';
import type { EvalJob, EvalResult } from '../src/index.js';
import { collect } from './queue/collect.js';
import { madePlan, madeResult } from './queue/made-plan.js';
import { freePort, startRedis, withoutRedis, type RedisServer } from './queue/redis-server.js';

const title = 'the connection to the Redis of a queue';
describe.skipIf(withoutRedis !== false)(withoutRedis === false ? title : `${title} (left out: ${withoutRedis})`, () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  test('a Redis that ends and comes back empty is handed the jobs anew', async () => {
    await using other = await startRedis();
    const plan = madePlan('restart', 4);
    const place = { connection: other.url, queue: 'restart' };
    let done = 0;
    await using working = await startBullmqWorker({
      ...place,
      plan,
      concurrency: 1,
      lock: 1000,
      work: async (job) => {
        done += 1;
        if (done === 2) {
          await other.stop();
          await other.start();
        }
        return madeResult(job);
      },
    });
    const results = await collect(bullmqExecutor(place), plan.jobs);
    expect(results.map((result) => result.case).toSorted()).toEqual(['case-1', 'case-2', 'case-3', 'case-4']);
    await working.close();
  });

  test('a Redis that ends for good ends the run with what is there, and lets go of the worker', async () => {
    await using other = await startRedis();
    const plan = madePlan('gone', 4);
    const place = { connection: other.url, queue: 'gone' };
    let done = 0;
    const results: EvalResult[] = [];
    const working = await startBullmqWorker({
      ...place,
      plan,
      concurrency: 1,
      work: async (job) => {
        done += 1;
        if (done === 2) {
          await expect.poll(() => results.length).toBe(1);
          await other.stop();
        }
        return madeResult(job);
      },
    });
    const error: unknown = await collect(bullmqExecutor({ ...place, patience: 1500 }), plan.jobs, {
      into: results,
    }).catch((thrown: unknown) => thrown);
    expect(SkillsError.is(error, 'NETWORK_ERROR')).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining(`127.0.0.1:${other.port} is lost`) });
    expect(results.map((result) => result.case)).toEqual(['case-1']);
    await working.close({ now: true });
    await working.finished;
  });

  test('a run that is cancelled while Redis is away ends all the same', async () => {
    await using other = await startRedis();
    const cancel = new AbortController();
    const run = collect(bullmqExecutor({ connection: other.url }), madePlan('away', 2).jobs, { signal: cancel.signal });
    const told = run.catch((thrown: unknown) => thrown);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await other.stop();
    cancel.abort();
    const end = await told;
    expect(Array.isArray(end) || SkillsError.is(end, 'NETWORK_ERROR')).toBe(true);
  });

  test('a Redis that is not there is told at once, without its password', async () => {
    const port = await freePort();
    const connection = `redis://somebody:hunter2@127.0.0.1:${port}`;
    const error: unknown = await collect(
      bullmqExecutor({ connection, connectTimeout: 300 }),
      madePlan('a', 1).jobs,
    ).catch((thrown: unknown) => thrown);
    expect(SkillsError.is(error, 'NETWORK_ERROR')).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining(`127.0.0.1:${port}`) });
    expect(JSON.stringify(error) + String(error)).not.toContain('hunter2');
    const plan = madePlan('a', 1);
    const work = async (job: EvalJob): Promise<EvalResult> => madeResult(job);
    await expect(startBullmqWorker({ connection, connectTimeout: 300, plan, work })).rejects.toSatisfy((thrown) =>
      SkillsError.is(thrown, 'NETWORK_ERROR'),
    );
    for (const wrong of [
      '127.0.0.1:6379',
      'http://hunter2@host',
      '',
      'redis://:hunter2#x@127.0.0.1:1',
      'redis://:hunter2/x@127.0.0.1:1',
      'redis://:hunter2%zz@127.0.0.1:1',
      'redis://hunter2:99999',
    ]) {
      const refused: unknown = await collect(bullmqExecutor({ connection: wrong }), plan.jobs).catch(
        (thrown: unknown) => thrown,
      );
      expect(SkillsError.is(refused, 'USAGE'), wrong).toBe(true);
      // What is thrown by the reader of addresses holds them in a field.
      expect(inspectValue(refused, { depth: 9 })).not.toContain('hunter2');
    }
  });

  test('options that there are not are refused', async () => {
    const misspelt = { connection: server.url, que: 'x' };
    expect(() => bullmqExecutor(misspelt)).toThrow('bullmqExecutor has no option “que”');
    const plan = madePlan('a', 1);
    const work = async (job: EvalJob): Promise<EvalResult> => madeResult(job);
    await expect(startBullmqWorker({ connection: server.url, plan, work, concurrency: 0 })).rejects.toThrow(
      /whole number/u,
    );
  });

  test('values that make no sense are refused at once, and none is waited with for ever', async () => {
    const plan = madePlan('a', 1);
    const work = async (job: EvalJob): Promise<EvalResult> => madeResult(job);
    const wrongPlaces: readonly object[] = [
      { queue: 'a:b' },
      { queue: '' },
      { queue: 5 },
      { prefix: '' },
      { prefix: 'a:b' },
      { connection: undefined },
      { connection: null },
      { connectTimeout: Number.NaN },
      { connectTimeout: '1' },
    ];
    const refused = (error: unknown): boolean => SkillsError.is(error, 'USAGE');
    for (const wrong of [...wrongPlaces, { patience: Number.NaN }, { patience: -1 }, { patience: Infinity }]) {
      const options = { connection: server.url, ...wrong };
      expect(() => bullmqExecutor(options), JSON.stringify(wrong)).toThrow(expect.toSatisfy(refused));
    }
    for (const wrong of [...wrongPlaces, { lock: 0 }, { lock: Number.NaN }, { lock: -5 }]) {
      const options = { connection: server.url, plan, work, ...wrong };
      await expect(startBullmqWorker(options), JSON.stringify(wrong)).rejects.toSatisfy(refused);
    }
  });

  test('a Redis that wants another password says so, and nobody says which one was tried', async () => {
    await using other = await startRedis();
    const admin = new Redis(other.url);
    await admin.config('SET', 'requirepass', 'right-one');
    admin.disconnect();
    for (const connection of [other.url.replace('//', '//:hunter2@'), other.url]) {
      const error: unknown = await collect(bullmqExecutor({ connection }), madePlan('a', 1).jobs).catch(
        (thrown: unknown) => thrown,
      );
      expect(SkillsError.is(error, 'NETWORK_ERROR')).toBe(true);
      expect(error).toMatchObject({ message: expect.stringMatching(/WRONGPASS|NOAUTH/u) });
      expect(inspectValue(error, { depth: 9 })).not.toMatch(/hunter2|right-one/u);
    }
  });

  test('a job whose work throws what is no error is lost and told, too', async () => {
    for (const [index, thrown] of [null, undefined, 'The disk is full.', 7].entries()) {
      const plan = madePlan(`odd-${index}`, 1);
      const place = { connection: server.url, queue: `odd-${index}` };
      // eslint-disable-next-line typescript/prefer-promise-reject-errors -- what others throw is what this is about
      const work = async (): Promise<EvalResult> => Promise.reject(thrown);
      const worker = await startBullmqWorker({ ...place, plan, work });
      const error: unknown = await collect(bullmqExecutor(place), plan.jobs).catch((caught: unknown) => caught);
      expect(SkillsError.is(error, 'EXIT_NONZERO')).toBe(true);
      expect(error).toMatchObject({ message: expect.stringContaining(String(thrown)) });
      await worker.close();
    }
  });
});
