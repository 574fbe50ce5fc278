import { expect, test } from 'vitest';
import {
  foldEvents,
  redactNothing,
  replayRun,
  resumeRun,
  runAgent,
  SkillsError,
  startRun,
  summariseRun,
} from '../../src/index.js';
import type { ModelAdapter, ModelUsage } from '../../src/model/model-adapter.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, type AgentWorld } from './agent-world.js';

const call = { kind: 'call_tool', tool: 'step', input: {} } as const;
const tools = [echoTool('step')];
const limits = { cost: 0.5 };

const recordOf = ({ journal }: AgentWorld) => ({
  events: [...journal.events],
  kept: async (digest: Parameters<typeof journal.kept.get>[0]) => journal.kept.get(digest),
});

/** A model that says beforehand what its calls cost. */
function pricedWorld(costOf: ModelAdapter['costOf'], usage: Partial<ModelUsage> = {}) {
  const world = agentWorld([call, answer('Done.')], { tools, usage });
  return { world, ports: { ...world.ports, model: { ...world.model, costOf } } };
}

test('PSA-08: under a limit of cost, an answer of which nobody knows the cost ends the request, and says why', async () => {
  const notes: string[] = [];
  const world = agentWorld([call, call, answer('Done.')], { tools });
  const { stop, text, state } = await runAgent(
    'Go.',
    { ...world.ports, debug: (note) => notes.push(note) },
    named({ limits }),
  );
  expect({ stop, asked: world.model.requests.length }).toEqual({ stop: 'max_cost', asked: 1 });
  expect(text).toContain('It has a limit of cost, $0.5, and nobody knows what a call of its model cost.');
  expect(state.totals.cost).toBeUndefined();
  expect(notes.join(' ')).toContain('does not say what its calls cost');
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true });
});

test.for<readonly [string, ModelAdapter['costOf']]>([
  ['has no price', () => undefined],
  ['has a price that is no number', () => Number.NaN],
])('PSA-08: no run with a limit of cost begins with a model that %s', async ([, costOf]) => {
  const { world, ports } = pricedWorld(costOf);
  await expect(startRun(ports, named({ limits }))).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
  expect(world.events).toEqual([]);
  const open = await startRun(ports, named());
  expect(await open.ask('Go.')).toMatchObject({ stop: 'final_answer' });
});

test('of a run that goes on with a limit of cost, the model has a price, too', async () => {
  const { world, ports } = pricedWorld(() => undefined);
  await (await startRun(ports, named())).ask('Go.');
  await expect(resumeRun(recordOf(world), ports, { limits })).rejects.toSatisfy((error) =>
    SkillsError.is(error, 'USAGE'),
  );
});

test('a model with a price has a limit of cost that holds, and costs are summed', async () => {
  const { world, ports } = pricedWorld(() => 0.1, { cost: 0.1 });
  const { stop, state } = await runAgent('Go.', ports, named({ limits }));
  expect({ stop, cost: state.totals.cost }).toEqual({ stop: 'final_answer', cost: 0.2 });
  expect(summariseRun(world.events)).toMatchObject({ spent: { cost: 0.2 }, usage: { cost: 0.2 } });
});

test('unknownCost: a run may count calls without a known cost as if they cost nothing; a sum of them is none', async () => {
  const world = agentWorld([call, answer('Done.')], { tools });
  const { stop, state } = await runAgent('Go.', world.ports, named({ limits, unknownCost: 'go-on' }));
  expect(stop).toBe('final_answer');
  expect(state.totals.cost).toBeUndefined();
  expect(state.spent.cost).toBe(0);
  const summary = summariseRun(world.events);
  expect(summary.usage).not.toHaveProperty('cost');
  expect(summary.spent.cost).toBeUndefined();
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true });
});

test('a cost that is none to count with is not known', async () => {
  for (const cost of [Number.NaN, -1, Number.POSITIVE_INFINITY, 'free' as never]) {
    const world = agentWorld([call, answer('Done.')], { tools, usage: { cost } });
    expect(await runAgent('Go.', world.ports, named({ limits }))).toMatchObject({ stop: 'max_cost' });
  }
});

test('a record that was made before is replayed as it was, with a limit of cost that nobody could count', async () => {
  const world = agentWorld([call, answer('Done.')], { tools });
  await runAgent('Go.', world.ports, named({ limits, unknownCost: 'go-on', redact: redactNothing }));
  const [started] = world.of('run_started');
  const setup = started?.options.setup;
  const kept = new TextDecoder().decode(setup && world.journal.kept.get(setup.digest));
  // As records were that know nothing of either.
  expect(kept).not.toContain('unknownCost');
  expect(started?.options).not.toHaveProperty('redacted');
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true });
  expect(foldEvents(world.events).spent.cost).toBe(0);
});
