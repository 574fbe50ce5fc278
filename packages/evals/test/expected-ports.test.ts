import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import {
  inProcess,
  mergeShards,
  modelJudge,
  parseSuite,
  passAtK,
  passHatK,
  planEvals,
  prepareWork,
  runEvals,
  selfTest,
  shardPlan,
} from '../src/index.js';
import { evalSuite } from '../src/vitest.js';
import { answer, makeCase, makePorts, makeSuite, scriptedModels } from './trial-ground.js';

/** As JavaScript hands in anything. */
const anything = (given: unknown): never => given as never;

const suites = [makeSuite([makeCase({ id: 'a' })])];
const ports = makePorts({ models: scriptedModels([answer('Done.')]) });
const options = { models: ['m'] };
const plan = await planEvals(suites, ports, options);

async function refused(act: () => unknown): Promise<SkillsError> {
  try {
    await act();
  } catch (error) {
    expect(SkillsError.is(error, 'USAGE'), String(error)).toBe(true);
    return error as SkillsError;
  }
  throw new Error('It was taken.');
}

test('PSA-35: what is no list of suites is refused with what came and what to give', async () => {
  const parsing = parseSuite('', { fileName: 'a.yaml' });
  await expect(parsing).rejects.toMatchObject({ code: 'INVALID_CASE' });
  const takers: readonly (readonly [string, (given: never) => unknown])[] = [
    ['planEvals', async (given) => planEvals(given, ports, options)],
    ['selfTest', async (given) => selfTest(given, ports)],
    ['prepareWork', (given) => prepareWork({ suites: given, plan }, ports)],
    ['runEvals', async (given) => runEvals({ suites: given, plan }, ports)],
  ];
  for (const [of, take] of takers) {
    const one = await refused(() => take(anything(suites[0])));
    expect(one.message).toMatch(
      new RegExp(`^suites of ${of} is an object with .*A list of suites was expected\\.$`, 'u'),
    );
    const path = await refused(() => take(anything(['a.yaml'])));
    expect(path.message).toBe(`suites[0] of ${of} is a text, “a.yaml”. A suite was expected.`);
    expect(path.hint).toContain('readSuite');
    const promise = await refused(() => take(anything([parsing.catch(() => undefined)])));
    expect(promise.message).toBe(`suites[0] of ${of} is a promise. A suite was expected.`);
    expect(promise.hint).toBe('Wait for it with await.');
  }
});

test('PSA-35: a port that is missing, or something else, is refused once, before anything is run', async () => {
  const without = (name: string): never => anything({ ...ports, [name]: undefined });
  const run = async (given: never) => runEvals({ suites, plan }, given);
  for (const name of ['registry', 'models', 'ground', 'clock', 'sha256', 'results']) {
    const { message, hint } = await refused(async () => run(without(name)));
    expect(message).toMatch(new RegExp(`^The port ${name} of runEvals is not given\\. .* was expected\\.$`, 'u'));
    expect(hint).not.toBe('');
  }
  const path = await refused(async () => run(anything({ ...ports, results: 'a.jsonl' })));
  expect(path.message).toBe('The port results of runEvals is a text, “a.jsonl”. A log of results was expected.');
  expect(path.hint).toContain('resultsFile');
  expect((await refused(async () => run(anything({ ...ports, judge: 'claude' })))).message).toContain('The port judge');
  expect((await refused(async () => run(anything({ ...ports, oldRegistry: {} })))).message).toContain('oldRegistry');
  expect((await refused(async () => run(anything(undefined)))).message).toContain(
    'What runEvals is to use as its ports',
  );
  for (const name of ['registry', 'sha256']) {
    const { message } = await refused(async () => planEvals(suites, without(name), options));
    expect(message).toContain(`The port ${name} of planEvals is not given`);
  }
  for (const name of ['registry', 'ground', 'clock', 'sha256']) {
    const { message } = await refused(async () => selfTest(suites, without(name)));
    expect(message).toContain(`The port ${name} of selfTest is not given`);
  }
  expect((await refused(() => prepareWork({ suites, plan }, without('clock')))).message).toContain('of prepareWork');
});

test('a suite in vitest is refused where a port of it is missing or something else', async () => {
  const { registry, models, ground } = ports;
  const make = async (given: object | undefined): Promise<string> =>
    (await refused(async () => evalSuite(suites, anything(given), options))).message;
  expect(await make(undefined)).toContain('What evalSuite is to use as its ports is not given');
  expect(await make({ registry, models })).toContain('The port ground of evalSuite is not given');
  expect(await make({ registry, models, ground, clock: 5 })).toContain('The port clock of evalSuite');
  expect(await make({ registry, models, ground, results: 5 })).toContain('The port results of evalSuite');
});

test('PSA-35: what is no plan, no shard and no work is refused with what came', async () => {
  const of = async (act: () => unknown): Promise<string> => (await refused(act)).message;
  expect(await of(async () => runEvals(anything({ suites }), ports))).toContain('plan of runEvals is not given');
  expect(await of(async () => runEvals(anything(undefined), ports))).toContain('plan');
  const shard = { index: 1, count: 1 };
  expect(await of(() => shardPlan(anything('plan.json'), shard))).toContain('plan of shardPlan is a text');
  expect(await of(() => shardPlan(anything(undefined), shard))).toContain('plan of shardPlan is not given');
  expect(await of(() => mergeShards(anything([{ shard: 'x', results: 'y' }])))).toContain(
    'The shard of part 1 of mergeShards is a text, “x”. A shard was expected.',
  );
  expect(await of(() => mergeShards(anything([undefined])))).toContain('part 1 of mergeShards');
  expect(await of(() => mergeShards(anything('x')))).toContain('parts of mergeShards is a text');
  const whole = shardPlan(plan, shard);
  expect(await of(() => mergeShards([{ shard: whole, results: anything('r.jsonl') }]))).toContain(
    'is a text, “r.jsonl”. A list of results was expected.',
  );
});

test('PSA-35: options of another type than they have are told with it', async () => {
  const planned = async (more: object): Promise<string> =>
    (await refused(async () => planEvals(suites, ports, anything({ ...options, ...more })))).message;
  expect(await planned({ trials: '3' })).toBe('trials of planEvals is a text, “3”. A whole number was expected.');
  expect(await planned({ arms: 'with_skill' })).toBe('arms of planEvals is a text, “with_skill”. A list was expected.');
  expect(await planned({ models: 'x' })).toBe('models of planEvals is a text, “x”. A list was expected.');
  expect(await planned({ models: [{ name: 'x' }] })).toBe(
    'models[0] of planEvals is an object with “name”. A text was expected.',
  );
  expect(await planned({ models: undefined })).toContain('models of planEvals is not given');
  expect(await planned({ models: [] })).toContain('no models');
  expect(await planned({ filter: 'a' })).toContain('filter of planEvals is a text');
  expect(await planned({ variant: 1 })).toContain('variant of planEvals is of the type number');
  expect((await refused(() => inProcess({ concurrency: anything('4') }))).message).toBe(
    'concurrency of inProcess is a text, “4”. A whole number was expected.',
  );
  expect((await refused(() => prepareWork({ suites, plan }, ports, { retries: anything('1') }))).message).toContain(
    'retries of prepareWork is a text',
  );
});

test('a judge is made of a model, not of its name', async () => {
  const { message, hint } = await refused(() => modelJudge(anything('claude')));
  expect(message).toBe('model of modelJudge is a text, “claude”. A model was expected.');
  expect(hint).toContain('@skillpack/model-adapters');
  expect((await refused(() => modelJudge(anything({ name: 'm' })))).message).toContain('model of modelJudge');
});

test('numbers of trials that cannot be are told as they were given', () => {
  for (const estimate of [passAtK, passHatK]) {
    expect(() => estimate(5, 6, 2)).toThrow(new RangeError('There are no 2 of 5 trials, 6 of which passed.'));
  }
});
