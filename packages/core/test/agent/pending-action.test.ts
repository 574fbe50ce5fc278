import { expect, test } from 'vitest';
import type { AgentOptions, AgentPorts } from '../../src/agent/agent-run.js';
import { foldEvents } from '../../src/agent/fold-events.js';
import { findBreaches } from '../../src/agent/record/find-breaches.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { resumeRun } from '../../src/agent/replay/resume-run.js';
import type { RunEvent } from '../../src/agent/run-event.js';
import { startRun } from '../../src/agent/start-run.js';
import type { AgentAction } from '../../src/model/action.js';
import type { Permissions } from '../../src/policy/permissions.js';
import { sha256 } from '../sha256.js';
import {
  agentWorld,
  answer,
  asking,
  echoTool,
  named,
  select,
  skillFile,
  type AgentWorld,
  type Reply,
} from './agent-world.js';
import { approver, echoRunner, yes } from './scripts-world.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY'),
  'pdf/go.mjs': '',
  'survey/SKILL.md': skillFile('survey', 'SURVEY', { 'run-mode': 'subagent' }),
  'survey/go.mjs': '',
};
const script: AgentAction = { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'go.mjs', args: ['x'] };
const wipe: AgentAction = { kind: 'call_tool', tool: 'wipe', input: { disk: 'all' } };

type Ports = Partial<AgentPorts>;

/** A run that ended since nobody could be asked. */
async function refused(replies: readonly Reply[], ports: Ports = {}, options: Partial<AgentOptions> = {}) {
  const world = agentWorld(replies, {
    files,
    runner: echoRunner(),
    tools: [echoTool('wipe', { risk: 'high' })],
    ...ports,
  });
  const run = await startRun(world.ports, named({ permissions: asking, ...options }));
  expect(await run.ask('Do it.')).toMatchObject({ stop: 'approval_required', degraded: true });
  return { world, run };
}

/** What a second process goes on with. */
function after(
  first: AgentWorld,
  replies: readonly Reply[],
  ports: Ports = {},
  events: readonly RunEvent[] = first.events,
) {
  const runner = echoRunner();
  const tool = echoTool('wipe', { risk: 'high' });
  const second = agentWorld(replies, { files, runner, tools: [tool], ...ports });
  for (const event of events) void second.journal.append(event);
  const kept = async (digest: Parameters<AgentWorld['journal']['kept']['get']>[0]) =>
    first.journal.kept.get(digest) ?? second.journal.kept.get(digest);
  const replay = async () => replayRun({ events: second.events, kept }, { sha256 });
  return { second, runner, tool, record: { events, kept }, replay };
}

test.each([
  ['a script', script],
  ['a tool', wipe],
])(
  'PSA-15: a run that nobody could say yes in does exactly %s that was refused, once somebody can, and then asks its model',
  async (_, action) => {
    const { world } = await refused([select('pdf'), action]);
    const whoever = yes('once');
    const { second, runner, tool, record, replay } = after(world, [answer('Done.')], { approver: whoever });
    const run = await resumeRun(record, second.ports, { permissions: asking });
    expect(await run.goOn()).toMatchObject({ text: 'Done.', stop: 'final_answer' });
    expect(whoever.asked).toMatchObject([{ id: 'a3', action: action.kind }]);
    expect([runner.ran.length, tool.calls.length]).toEqual(action === script ? [1, 0] : [0, 1]);
    if (action === script) expect(runner.ran).toMatchObject([{ path: 'go.mjs', args: ['x'] }]);
    else expect(tool.calls).toEqual([{ disk: 'all' }]);
    // No model was asked before that, and then it was told.
    expect(second.model.requests).toHaveLength(1);
    expect(second.model.requests[0]?.messages.at(-1)?.content).toContain(
      action === script ? 'exit code 0' : 'wipe was called',
    );
    expect(foldEvents(second.events)).toEqual(run.state);
    await run.finish();
    expect(await replay()).toMatchObject({ same: true });
  },
);

test('the same process goes on with it, too; where there still is nobody, the run ends as it did, as often as that is tried', async () => {
  let answers = 0;
  const whoever = yes('once');
  const decide: typeof whoever.decide = async (...given) =>
    (answers += 1) < 3 ? { kind: 'unavailable', reason: 'Nobody.' } : whoever.decide(...given);
  const runner = echoRunner();
  const { world, run } = await refused([select('pdf'), script, answer('Done.')], { approver: { decide }, runner });
  expect(await run.goOn()).toMatchObject({ stop: 'approval_required' });
  expect(await run.goOn()).toMatchObject({ text: 'Done.' });
  expect([runner.ran.length, world.model.requests.length]).toEqual([1, 3]);
  await run.finish();
  const kept = async (digest: Parameters<AgentWorld['journal']['kept']['get']>[0]) => world.journal.kept.get(digest);
  expect(await replayRun({ events: world.events, kept }, { sha256 })).toMatchObject({ same: true });
  expect(findBreaches(world.events)).toEqual([]);
});

test.each([
  ['a script', script],
  ['a tool', wipe],
])(
  '%s for which nobody could say yes takes nothing of the limits, however often it is asked about',
  async (_, action) => {
    let answers = 0;
    const whoever = yes('once');
    const decide: typeof whoever.decide = async (...given) =>
      (answers += 1) < 5 ? { kind: 'unavailable', reason: 'Nobody.' } : whoever.decide(...given);
    const limits = { scripts: 1, toolCalls: 2 };
    const ports = { approver: { decide }, runner: echoRunner() };
    const { world, run } = await refused([select('pdf'), action, answer('Done.')], ports, { limits });
    for (let again = 0; again < 3; again += 1) {
      expect(await run.goOn()).toMatchObject({ stop: 'approval_required' });
      expect(run.state).toMatchObject({ spent: { toolCalls: 1, scripts: 0 }, totals: { toolCalls: 1, scripts: 0 } });
    }
    expect(await run.goOn()).toMatchObject({ text: 'Done.', stop: 'final_answer' });
    expect(run.state.spent).toMatchObject({ toolCalls: 2, scripts: action === script ? 1 : 0 });
    expect(foldEvents(world.events)).toEqual(run.state);
    await run.finish();
    const kept = async (digest: Parameters<AgentWorld['journal']['kept']['get']>[0]) => world.journal.kept.get(digest);
    expect(await replayRun({ events: world.events, kept }, { sha256 })).toMatchObject({ same: true });
    expect(findBreaches(world.events)).toEqual([]);
  },
);

test('a no to it is told to the model, and another request leaves it behind', async () => {
  const { world } = await refused([select('pdf'), script]);
  const no = approver({ kind: 'denied', reason: 'No.', by: 'test' });
  const denied = after(world, [answer('Then not.')], { approver: no });
  const run = await resumeRun(denied.record, denied.second.ports, { permissions: asking });
  expect(await run.goOn()).toMatchObject({ text: 'Then not.' });
  expect([denied.runner.ran.length, no.asked.length]).toEqual([0, 1]);

  const other = after(world, [answer('Something else.')], { approver: yes('run') });
  const asked = await resumeRun(other.record, other.second.ports, { permissions: asking });
  expect(await asked.ask('Then this.')).toMatchObject({ text: 'Something else.' });
  expect(await asked.goOn()).toBeUndefined();
  expect(other.runner.ran).toEqual([]);
});

test('what a record says was refused is never done without a yes, whatever is allowed without a question', async () => {
  const { world } = await refused([select('pdf'), wipe]);
  const all: Permissions = { configured: { allow: ['*'] }, allowedTools: 'grant' };
  const { second, tool, record } = after(world, [answer('Done.')]);
  const run = await resumeRun(record, second.ports, { permissions: all });
  expect(await run.goOn()).toMatchObject({ stop: 'approval_required' });
  expect(tool.calls).toEqual([]);
});

test('what only reads needs no yes, though a record says that one was wanted, where it is allowed now', async () => {
  const look: AgentAction = { kind: 'call_tool', tool: 'look', input: {} };
  const first = { permissions: { configured: { ask: ['look'] } } };
  const { world } = await refused([look], { tools: [echoTool('look')] }, first);
  const tool = echoTool('look');
  const { second, record } = after(world, [answer('Done.')], { tools: [tool] });
  const run = await resumeRun(record, second.ports, { permissions: { configured: { allow: ['risk:low'] } } });
  expect(await run.goOn()).toMatchObject({ text: 'Done.' });
  expect(tool.calls).toEqual([{}]);
});

test('what is refused by now is not done, with any yes', async () => {
  const { world } = await refused([select('pdf'), wipe]);
  const whoever = yes('session');
  const { second, tool, record, replay } = after(world, [answer('Then not.')], { approver: whoever });
  const run = await resumeRun(record, second.ports, { permissions: { run: { deny: ['wipe'] } } });
  expect(await run.goOn()).toMatchObject({ text: 'Then not.' });
  expect([tool.calls, whoever.asked]).toEqual([[], []]);
  await run.finish();
  expect(await replay()).toMatchObject({ same: true });
});

test('a tool that calls its own failure a missing yes is not called again by itself', async () => {
  const failing = echoTool('wipe', {
    risk: 'high',
    run: () => ({ ok: false, content: 'No.', error: { code: 'APPROVAL_REQUIRED', message: 'This needs a yes.' } }),
  });
  const world = agentWorld([wipe], { files, tools: [failing], approver: yes('run') });
  const first = await startRun(world.ports, named({ permissions: asking }));
  expect(await first.ask('Do it.')).toMatchObject({ stop: 'model_failed' });
  const { second, tool, record } = after(world, [answer('Done.')], { approver: yes('run') });
  const run = await resumeRun(record, second.ports, { permissions: asking });
  expect(await run.goOn()).toMatchObject({ text: 'Done.' });
  expect(tool.calls).toEqual([]);
});

test('what a child run was refused for is not begun anew by itself: the model is asked', async () => {
  const inChild: AgentAction = { ...script, skill: { name: 'survey' } };
  const { world } = await refused([select('survey'), inChild]);
  const { second, runner, record } = after(world, [answer('What now?')], { approver: yes('run') });
  const run = await resumeRun(record, second.ports, { permissions: asking });
  expect(await run.goOn()).toMatchObject({ text: 'What now?' });
  expect(runner.ran).toEqual([]);
});

test('wherever a run is cut off that goes on with it, the next one does it once, or says that nobody knows', async () => {
  const { world } = await refused([select('pdf'), script]);
  const whole = after(world, [answer('Done.')], { approver: yes('once') });
  await (await resumeRun(whole.record, whole.second.ports, { permissions: asking })).goOn();
  const all = whole.second.events;
  for (let length = world.events.length; length < all.length; length += 1) {
    const cut = all.slice(0, length);
    const types = cut.slice(world.events.length).map(({ type }) => type);
    // Between these two events nobody knows what the process was at.
    const started = types.includes('action_started') && !types.includes('skill_measured');
    const begun = started || types.includes('approval_decided');
    const observed = types.includes('observation_recorded');
    const { second, runner, record } = after(whole.second, [answer('Done.')], { approver: yes('once') }, cut);
    const kept = async (digest: Parameters<AgentWorld['journal']['kept']['get']>[0]) =>
      world.journal.kept.get(digest) ?? record.kept(digest);
    const run = await resumeRun({ ...record, kept }, second.ports, { permissions: asking });
    await run.goOn();
    expect(runner.ran, `cut after ${length}`).toHaveLength(begun ? 0 : 1);
    const uncertain = second.of('run_resumed').at(-1)?.uncertain !== undefined;
    expect(uncertain, `cut after ${length}`).toBe(begun && !observed);
    expect(run.state.answer?.text).toBe('Done.');
  }
});

test('of permissions that only a record knows, nothing but reading is allowed without a question', async () => {
  const first = agentWorld([select('pdf')], { files });
  const loose: Permissions = { configured: { allow: ['*'] }, allowedTools: { pdf: 'grant', survey: 'ignore' } };
  await (await startRun(first.ports, named({ permissions: loose, limits: { turns: 1 } }))).ask('Do it.');
  const look = echoTool('look');
  const tool = echoTool('wipe', { risk: 'high' });
  const whoever = yes('once');
  const { second, record, replay } = after(
    first,
    [{ kind: 'call_tool', tool: 'look', input: {} }, wipe, script, answer('Done.')],
    {
      approver: whoever,
      tools: [look, tool],
      runner: { ...echoRunner(), confinement: { name: 'box', leaves: [] } },
    },
  );
  const run = await resumeRun(record, second.ports, { limits: { turns: 9 } });
  expect(await run.goOn()).toMatchObject({ text: 'Done.' });
  expect(whoever.asked.map((request) => request.tool)).toEqual(['wipe', 'run_script']);
  expect([look.calls.length, tool.calls.length]).toEqual([1, 1]);
  await run.finish();
  expect(await replay()).toMatchObject({ same: true });
});
