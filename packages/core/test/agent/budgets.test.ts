import { expect, test } from 'vitest';
import type { BudgetLimits, StopReason } from '../../src/agent/budget.js';
import { fillLimits, noLimit } from '../../src/agent/fill-limits.js';
import { reduceEvent } from '../../src/agent/reduce-event.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import type { AgentAction } from '../../src/model/action.js';
import type { Plan } from '../../src/model/plan.js';
import type { FakeClock } from '../../src/testing/fake-clock.js';
import type { Tool } from '../../src/tool/tool.js';
import { agentWorld, answer, echoTool, named, select, skillFile, type Reply } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

const files = { 'pdf/SKILL.md': skillFile('pdf', 'Run it.'), 'pdf/run.mjs': '' };
const step: AgentAction = { kind: 'call_tool', tool: 'step', input: {} };
const script: AgentAction = { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'run.mjs', args: [] };

function slowTool(clock: () => FakeClock, milliseconds: number): Tool {
  return echoTool('step', {
    run: () => {
      clock().advance(milliseconds);
      return {};
    },
  });
}

interface Case {
  readonly limits: Partial<BudgetLimits>;
  readonly replies: readonly Reply[];
  readonly stop: StopReason;
  /** Model calls. */
  readonly asked: number;
  readonly says: string;
}

const forever = Array.from({ length: 40 }, () => step);
const cases: readonly Case[] = [
  { limits: { turns: 3 }, replies: forever, stop: 'max_turns', asked: 3, says: 'model calls, 3,' },
  { limits: {}, replies: forever, stop: 'max_turns', asked: 12, says: 'model calls, 12,' },
  { limits: { toolCalls: 2 }, replies: forever, stop: 'max_tool_calls', asked: 3, says: 'actions, 2,' },
  { limits: { turns: 99 }, replies: forever, stop: 'max_tool_calls', asked: 31, says: 'actions, 30,' },
  {
    limits: { scripts: 1 },
    replies: [select('pdf'), script, script],
    stop: 'max_scripts',
    asked: 3,
    says: 'scripts, 1,',
  },
  { limits: { tokens: 40 }, replies: forever, stop: 'max_tokens', asked: 3, says: 'tokens, 40,' },
  { limits: { cost: 0.5 }, replies: forever, stop: 'max_cost', asked: 2, says: 'cost, $0.5,' },
  { limits: { wallTime: 2500 }, replies: forever, stop: 'max_wall_time', asked: 3, says: 'time, 2500 ms,' },
  {
    limits: {},
    replies: ['nonsense', select('none'), step, '{}', '[]', select('none'), 'no'],
    stop: 'max_consecutive_failures',
    asked: 7,
    says: 'failures in a row, 4,',
  },
];

test.for(cases)(
  'PSA-08: $limits ends with $stop and an answer that says so',
  async ({ limits, replies, stop, asked, says }) => {
    const world = agentWorld(replies, {
      files,
      usage: { cost: 0.25 },
      runner: echoRunner(),
      approver: yes('once'),
      tools: [slowTool(() => world.clock, 1000)],
    });
    const result = await runAgent('Count to infinity.', world.ports, named({ limits }));
    expect(result).toMatchObject({ stop, degraded: true });
    expect(world.model.requests).toHaveLength(asked);
    expect(result.text).toContain('This is not finished.');
    expect(result.text).toContain('Asked: Count to infinity.');
    expect(result.text).toContain(says);
    expect(world.of('request_answered')).toMatchObject([{ stop, degraded: true, answer: result.text }]);
  },
);

test('PSA-08: the answer of an exhausted run says what was done, what failed, and what of the plan is missing', async () => {
  const plan: Plan = {
    goal: 'Two steps',
    steps: [
      { id: '1', title: 'Begin', status: 'completed' },
      { id: '2', title: 'End', status: 'pending' },
    ],
    assumptions: [],
    constraints: {},
  };
  const world = agentWorld([{ action: step, plan_update: { kind: 'replace', plan } }, select('none'), step], {
    tools: [echoTool('step')],
    files,
  });
  const { text } = await runAgent('Do both.', world.ports, named({ limits: { toolCalls: 2 } }));
  expect(text).toBe(
    [
      'This is not finished. Its limit of actions, 2, is reached.',
      'Asked: Do both.',
      'Plan: Two steps\n- [x] Begin\n- [ ] End',
      'Done:\n- call_tool step\n- select_skills none – failed: There is no skill “none”.',
      'Next would have been: call_tool step.',
      'Missing: “End”, and the answer itself.',
    ].join('\n\n'),
  );
});

test('an answer has room in any budget', async () => {
  const world = agentWorld([step, answer('Done.')], { tools: [echoTool('step')] });
  expect(await runAgent('Do it.', world.ports, named({ limits: { toolCalls: 1, turns: 2 } }))).toMatchObject({
    stop: 'final_answer',
    degraded: false,
  });
});

test('a clock that goes back takes no time, and none of the numbers of a model is believed', async () => {
  const world = agentWorld([step, step, answer('Done.')], {
    tools: [slowTool(() => world.clock, -5000)],
    usage: { inputTokens: Number.NaN, outputTokens: -3, cost: Number.POSITIVE_INFINITY },
  });
  const { state } = await runAgent('Do it.', world.ports, named());
  expect(state.spent).toMatchObject({ wallTime: 0, tokens: 0, cost: 0, turns: 3 });
});

test('a clock that goes back for a while, or says no number, takes only the time that went by', async () => {
  const hour = 3_600_000;
  const ticks = [0, 0, 0, 5, -hour, 10 - hour, 20 - hour, Number.NaN, 30 - hour, 40, 50, -hour, 60 - hour, 70];
  const world = agentWorld([step, step, answer('Done.')], { tools: [echoTool('step')] });
  let at = 0;
  const begin = Date.parse('2026-11-22T08:00:00.000Z');
  const clock = { now: () => begin + (ticks[at++] ?? 70 + at) };
  const { state } = await runAgent('Do it.', { ...world.ports, clock }, named());
  expect(state.answer?.stop).toBe('final_answer');
  expect(state.spent.wallTime).toBeGreaterThan(0);
  expect(state.spent.wallTime).toBeLessThan(200);
});

test('no time counts after a run is finished, nor between its requests', async () => {
  const world = agentWorld([answer('Done.'), answer('Again.')]);
  const run = await startRun(world.ports, named());
  await run.ask('Do it.');
  const { wallTime } = run.state.totals;
  world.clock.advance(50_000);
  await run.ask('And now?');
  world.clock.advance(50_000);
  const { totals } = await run.finish();
  expect(totals.wallTime).toBe(wallTime);
  // What follows in the same record is of no run that is at work: an event that says otherwise takes no time.
  const asked = { ...run.state, answer: undefined, finished: true };
  const late = { ...world.events.at(-1)!, seq: 99, at: '2030-01-01T00:00:00.000Z' };
  expect(reduceEvent(asked, late).totals).toEqual(totals);
});

test('a question has room in any budget, too', async () => {
  const ask: AgentAction = { kind: 'ask_user', question: 'Which one?' };
  const world = agentWorld([step, ask], { tools: [echoTool('step')] });
  const { state, ...result } = await runAgent('Do it.', world.ports, named({ limits: { toolCalls: 1, scripts: 0 } }));
  expect(result).toMatchObject({ stop: 'question', text: 'Which one?', degraded: false });
  expect(state.audit.map(({ action, ok, duration }) => [action.kind, ok, duration])).toEqual([
    ['call_tool', true, 0],
    ['ask_user', true, 0],
  ]);
});

test('a script has no more time than the request has left', async () => {
  const runner = echoRunner();
  const world = agentWorld([select('pdf'), step, script, answer('Done.')], {
    files,
    runner,
    approver: yes('once'),
    tools: [slowTool(() => world.clock, 7_000)],
  });
  await runAgent('Do it.', world.ports, named({ limits: { wallTime: 10_000 }, scriptTimeout: 60_000 }));
  expect(runner.ran.map(({ timeout }) => timeout)).toEqual([3_000]);
});

test('a file that could not be read is no file that was read', async () => {
  const load: AgentAction = { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'none.md' };
  const world = agentWorld([select('pdf'), load, { ...load, relative_path: 'run.mjs' }, answer('Done.')], { files });
  const { state } = await runAgent('Do it.', world.ports, named());
  expect(state.resources.map(({ path }) => path)).toEqual(['run.mjs']);
  // Nor where what came of it names one.
  const failed = world.of('observation_recorded')[2]!;
  const begun = world.of('action_started')[2]!;
  const again = reduceEvent(reduceEvent(state, { ...begun, id: 'x' }), { ...failed, id: 'x', ok: false });
  expect(again.resources).toEqual(state.resources);
});

test('limits that are not given are the defaults, and no limit is the largest whole number', () => {
  expect(fillLimits({ turns: undefined as never, tokens: Number.POSITIVE_INFINITY, cost: 0 })).toEqual({
    turns: 12,
    toolCalls: 30,
    scripts: 10,
    tokens: noLimit,
    cost: 0,
    wallTime: 600_000,
    consecutiveFailures: 4,
  });
});
