import { expect, test } from 'vitest';
import { replayRun, SkillsError, startRun } from '../../src/index.js';
import type { AgentAction, AgentPorts, ApprovalDecision, RunEvent } from '../../src/index.js';
import type { RunRecord } from '../../src/agent/replay/run-record.js';
import {
  agentWorld,
  answer,
  asking,
  echoTool,
  named,
  select,
  skillFile,
  type AgentWorld,
} from '../agent/agent-world.js';
import { approver, echoRunner } from '../agent/scripts-world.js';
import { sha256 } from '../sha256.js';
import { resealed } from './resealed.js';

const files = { 'pdf/SKILL.md': skillFile('pdf', 'Run go.mjs.'), 'pdf/go.mjs': '' };
const script = { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'go.mjs', args: ['x'] } as const;
const wipe = { kind: 'call_tool', tool: 'wipe', input: {} } as const;
const approved: ApprovalDecision = { kind: 'approved', scope: 'once', by: 'ada' };
const denied: ApprovalDecision = { kind: 'denied', reason: 'Not now.', by: 'ada' };
const unavailable: ApprovalDecision = { kind: 'unavailable', reason: 'Nobody is here.' };
const cancelled: ApprovalDecision = { kind: 'unavailable', reason: 'Closed.', code: 'INTERRUPTED' };
const late: ApprovalDecision = { ...cancelled, code: 'TIMEOUT' };

const recordOf = ({ journal }: AgentWorld, events: readonly RunEvent[] = journal.events): RunRecord => ({
  events,
  kept: async (digest) => journal.kept.get(digest),
});

/** A run in which a script and a tool were to be used, and what was decided of both. */
async function decided(
  decision: ApprovalDecision,
  ports: Partial<AgentPorts> = {},
  ...actions: readonly AgentAction[]
): Promise<AgentWorld> {
  const [first = script, second = wipe] = actions;
  const world = agentWorld([select('pdf'), first, second, answer('Done.'), answer('Done.'), answer('Done.')], {
    files,
    tools: [echoTool('wipe', { risk: 'high' })],
    runner: echoRunner(),
    approver: approver(decision),
    ...ports,
  });
  const run = await startRun(world.ports, named({ permissions: asking }));
  // Where nobody can be asked, each is a request of its own.
  for (const text of ['Go.', 'Go on.', 'And on.']) await run.ask(text);
  await run.finish();
  return world;
}

const approvalsIn = ({ events }: AgentWorld): readonly number[] =>
  events.flatMap(({ type }, at) => (type === 'approval_decided' ? [at] : []));

test.each([
  ['a no', denied, approved],
  ['a no', denied, { ...approved, scope: 'run' }],
  ['a no', denied, unavailable],
  ['what nobody could decide', unavailable, approved],
  ['what nobody could decide', unavailable, denied],
  ['what nobody could decide', unavailable, cancelled],
  ['what was cancelled', cancelled, approved],
  ['what was cancelled', cancelled, unavailable],
  ['what was cancelled', cancelled, late],
  ['what nobody answered in time', late, approved],
  ['a yes', approved, denied],
  ['a yes', approved, unavailable],
  ['a yes', approved, cancelled],
] as const)('%s that was turned into another answer does not replay (%j to %j)', async (_, was, is) => {
  const world = await decided(was);
  const places = approvalsIn(world);
  expect(places).toHaveLength(2);
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true });
  for (const at of places) {
    const report = await replayRun(recordOf(world, resealed(world.events, at, { decision: is })), { sha256 });
    expect(report, `event ${at}`).toMatchObject({ same: false });
    // The event that does not follow from what was decided.
    expect(!report.same && report.at).toBeGreaterThan(at);
  }
});

test.each([
  ['a line that is shown in part', 'x '.repeat(5_000)],
  ['credentials, which no message has', 'https://me:hunter2@db.example/x?token=abc123 --all'],
  ['characters that nobody sees', 'a\u202Eb\u0007'],
])('a no to what has %s is told from a yes, too', async (_, text) => {
  for (const decision of [denied, unavailable, cancelled, late]) {
    const told = { ...script, args: [text] };
    const world = await decided(decision, {}, told, { ...wipe, input: { text } });
    expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true });
    for (const at of approvalsIn(world)) {
      const forged = resealed(world.events, at, { decision: approved });
      expect(await replayRun(recordOf(world, forged), { sha256 })).toMatchObject({ same: false });
    }
  }
});

test.each([[{ id: 'a2' }], [{ id: 'a9' }], [{ run: 'run/1' }], [{ run: 'run/1', id: 'a1' }]])(
  'an answer that belongs to another action or another run does not replay: %j',
  async (change) => {
    const world = await decided(approved);
    const at = approvalsIn(world)[1]!;
    for (const place of [at, at - 1]) {
      const event = world.events[place]!;
      const { id, ...rest } = change as { readonly id?: string; readonly run?: string };
      const other =
        event.type === 'approval_requested' && id !== undefined ? { request: { ...event.request, id } } : {};
      const forged = resealed(
        world.events,
        place,
        event.type === 'approval_requested' ? { ...rest, ...other } : change,
      );
      expect(await replayRun(recordOf(world, forged), { sha256 })).toMatchObject({ same: false, at: place + 1 });
    }
  },
);

test('what a tool or a script itself calls a refusal, after a yes, replays as what it is', async () => {
  const refusal = (): never => {
    throw new SkillsError('APPROVAL_DENIED', 'This was not approved: something else. No.');
  };
  const world = await decided(approved, {
    tools: [echoTool('wipe', { risk: 'high', run: refusal })],
    runner: { run: async () => refusal() },
  });
  expect(world.of('observation_recorded').filter(({ error }) => error?.code === 'APPROVAL_DENIED')).toHaveLength(2);
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true, events: world.events.length });
});
