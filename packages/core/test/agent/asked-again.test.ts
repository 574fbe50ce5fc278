import { describe, expect, test } from 'vitest';
import type { BudgetLimits } from '../../src/agent/budget.js';
import type { Clock } from '../../src/agent/clock.js';
import { continueRun } from '../../src/agent/continue-run.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import type { Digest } from '../../src/digest/is-digest.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, named, type AgentWorld, type Reply } from './agent-world.js';

const after = (retryAfter: unknown) => new SkillsError('RATE_LIMITED', 'Busy.', { data: { retryAfter } });
const gone = new SkillsError('NETWORK_ERROR', 'Gone.');

async function sound({ events, journal }: AgentWorld): Promise<void> {
  const kept = async (digest: Digest) => journal.kept.get(digest);
  expect(await replayRun({ events, kept }, { sha256 })).toMatchObject({ same: true });
}

/** Asks once; each pause goes by at once. */
async function pausesOf(replies: readonly Reply[], limits: Partial<BudgetLimits> = {}) {
  const world = agentWorld(replies);
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => world.clock.now(),
    startTimer: (milliseconds) => world.clock.startTimer(milliseconds),
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
      world.clock.advance(milliseconds);
    },
  };
  const options = named({ limits: { consecutiveFailures: 9, ...limits } });
  const answered = await runAgent('Go.', { ...world.ports, clock }, options);
  expect(world.clock.timers).toBe(0);
  await sound(world);
  return { pauses, answered, world };
}

describe('a model that cannot be reached', () => {
  test('PSA-08: is asked again after pauses that grow, anew after each success', async () => {
    const { pauses, answered } = await pausesOf([
      gone,
      gone,
      gone,
      'No decision.',
      new SkillsError('TIMEOUT', 'Slow.'),
      answer('Done.'),
    ]);
    expect(pauses).toEqual([500, 1_000, 2_000, 500]);
    expect(answered).toMatchObject({ text: 'Done.', stop: 'final_answer' });
    expect(answered.state.spent.wallTime).toBe(4_000);
  });

  test('PSA-08: is given the time that it asks for, and our own pauses grow to a minute', async () => {
    const asked = [7_000, 1, 300_000.5, 'soon', Number.NaN, -1, 0, 0, 0].map(after);
    const limits = { wallTime: Number.POSITIVE_INFINITY, consecutiveFailures: 99 };
    const { pauses } = await pausesOf([...asked, answer('Done.')], limits);
    expect(pauses).toEqual([7_000, 1_000, 300_001, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  test('PSA-08: that wants more time than the request has left ends it at once, and the answer says when to come back', async () => {
    const { pauses, answered, world } = await pausesOf([after(7_000), after(9_000), answer('Never.')], {
      wallTime: 16_000,
    });
    expect(pauses).toEqual([7_000]);
    expect(world.model.requests).toHaveLength(2);
    expect(answered).toMatchObject({ stop: 'model_failed', degraded: true });
    const { error } = answered;
    expect(SkillsError.is(error, 'RATE_LIMITED')).toBe(true);
    expect(error?.data).toEqual({ retryAfter: 9_000 });
    const at = Date.parse(world.of('turn_finished').at(-1)?.at ?? '');
    const from = new Date(at + 9_000).toISOString().replace('.000Z', 'Z');
    expect(answered.text).toContain(
      `The model could not be asked.\n\nBusy.\n\nIt may be asked again in 9 s, from ${from} on.\n\nAsked:`,
    );
    expect(answered.state.failure).toEqual({ code: 'RATE_LIMITED', message: 'Busy.', retryAfter: 9_000 });
  });

  test('a time that no timer can be set to, and no calendar has, is not waited for either', async () => {
    for (const retryAfter of [2_147_483_648, Number.POSITIVE_INFINITY]) {
      const { pauses, answered } = await pausesOf([after(retryAfter)], { wallTime: Number.POSITIVE_INFINITY });
      expect({ pauses, stop: answered.stop }).toEqual({ pauses: [], stop: 'model_failed' });
      expect(answered.text.includes('It may be asked again')).toBe(retryAfter < Number.MAX_SAFE_INTEGER);
    }
  });

  test('a run that gave up waiting goes on later, and asks again', async () => {
    const world = agentWorld([after(3_600_000), answer('Done.')]);
    const first = await startRun(world.ports, named());
    expect(await first.ask('Go.')).toMatchObject({ stop: 'model_failed' });
    const run = await continueRun([...world.events], world.ports, named());
    expect(await run.goOn()).toMatchObject({ text: 'Done.', error: undefined });
    await run.finish();
    await sound(world);
  });

  test('is not waited for where it would not be asked again', async () => {
    const { pauses, answered } = await pausesOf([new SkillsError('USAGE', 'There is no such model.')]);
    expect({ pauses, stop: answered.stop }).toEqual({ pauses: [], stop: 'model_failed' });
    const all = await pausesOf(Array.from({ length: 9 }, () => gone));
    expect(all.pauses).toHaveLength(8);
    expect(all.answered.stop).toBe('model_failed');
  });

  test('is waited for no longer than the time of the request', async () => {
    const { pauses, answered } = await pausesOf([gone, gone, answer('Never.')], { wallTime: 1_200 });
    expect({ pauses, stop: answered.stop }).toEqual({ pauses: [500, 1_000], stop: 'max_wall_time' });
  });

  test('is waited for by a timer where the clock has no pauses, and no longer than until a cancel', async () => {
    const world = agentWorld([gone, answer('Done.'), gone, answer('Never.')]);
    const { now, startTimer } = world.clock;
    const run = await startRun({ ...world.ports, clock: { now, startTimer } }, named());
    const controller = new AbortController();
    const timers = async (count: number): Promise<void> => {
      while (world.clock.timers < count) await new Promise((resolve) => setImmediate(resolve));
    };

    const first = run.ask('Go.');
    await timers(2);
    world.clock.advance(499);
    expect(world.model.requests).toHaveLength(1);
    world.clock.advance(1);
    expect(await first).toMatchObject({ text: 'Done.' });

    const second = run.ask('Go on.', { signal: controller.signal });
    await timers(2);
    controller.abort();
    expect(await second).toMatchObject({ stop: 'cancelled' });
    expect(world.clock.timers).toBe(0);
    await sound(world);
  });

  test('is asked again at once by a clock that has neither', async () => {
    const world = agentWorld([gone, gone, answer('Done.')]);
    const answered = await runAgent('Go.', { ...world.ports, clock: { now: world.clock.now } }, named());
    expect(answered).toMatchObject({ text: 'Done.' });
    await sound(world);
  });
});
