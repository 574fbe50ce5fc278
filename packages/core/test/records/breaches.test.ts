import { expect, test } from 'vitest';
import { findBreaches, type RunEvent } from '../../src/index.js';
import { startRun } from '../../src/agent/start-run.js';
import type { AgentAction } from '../../src/model/action.js';
import { agentWorld, answer, asking, echoTool, named, select, skillFile } from '../agent/agent-world.js';
import { approver, echoRunner, yes } from '../agent/scripts-world.js';

const files = { 'pdf/SKILL.md': skillFile('pdf', 'Body.'), 'pdf/notes.md': 'Notes', 'pdf/go.py': '' };
const load: AgentAction = { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'notes.md' };
const script: AgentAction = { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'go.py', args: [] };
const look: AgentAction = { kind: 'call_tool', tool: 'look', input: {} };
const wipe: AgentAction = { kind: 'call_tool', tool: 'wipe', input: {} };

async function record(decide = yes('once'), runner = echoRunner()): Promise<readonly RunEvent[]> {
  const tools = [echoTool('look'), echoTool('wipe', { risk: 'high' })];
  const replies = [load, select('pdf'), load, script, look, wipe, answer('Done.')];
  const world = agentWorld(replies, { files, tools, runner, approver: decide });
  const run = await startRun(world.ports, named({ permissions: asking, limits: { consecutiveFailures: 9 } }));
  await run.ask('Do it.');
  await run.finish();
  return world.events;
}

const without = (events: readonly RunEvent[], drop: (event: RunEvent) => boolean): readonly RunEvent[] =>
  events.filter((event) => !drop(event));
const kindsOf = (events: readonly RunEvent[]) => findBreaches(events).map(({ kind, action }) => `${kind} ${action}`);

test('PSA-36: a run keeps to what it discloses and what was approved, whatever is answered', async () => {
  const no = approver({ kind: 'denied', reason: 'No.', by: 'person' });
  for (const decide of [yes('once'), yes('run'), no]) expect(findBreaches(await record(decide))).toEqual([]);
});

test('PSA-36: a file of a skill that was read before the skill is a breach, with its event and action', async () => {
  const events = await record();
  const early = without(events, ({ type }) => type === 'skill_activated');
  const read = events.find((event) => event.type === 'skill_read' && event.path === 'notes.md');
  expect(findBreaches(early)).toEqual([{ kind: 'disclosure', run: 'run', seq: read?.seq, action: 'a3' }]);
});

test('PSA-36: a script that ran and a tool that was called without a yes or a rule are breaches', async () => {
  const events = await record();
  expect(kindsOf(without(events, ({ type }) => type === 'approval_decided'))).toEqual(['approval a4', 'approval a6']);
  expect(kindsOf(without(events, ({ type }) => type === 'tool_judged'))).toEqual(['approval a5']);
  const denied = events.map((event): RunEvent =>
    event.type === 'approval_decided'
      ? { ...event, decision: { kind: 'denied', reason: '', by: 'person' } }
      : event.type === 'tool_judged'
        ? { ...event, verdict: 'refuse', by: 'run' }
        : event,
  );
  expect(kindsOf(denied)).toEqual(['approval a4', 'approval a5', 'approval a6']);
  // A yes to another action is none to this one.
  const moved = events.map((event) => (event.type === 'approval_decided' ? { ...event, id: 'a4' } : event));
  expect(kindsOf(moved)).toEqual(['approval a6']);
});

test('PSA-36: a script that failed was run, too', async () => {
  const failing = echoRunner();
  const outcome = await failing.run(
    { skill: {} as never, path: 'go.py', args: [], timeout: 1 },
    { signal: new AbortController().signal },
  );
  const events = await record(yes('once'), { ...failing, run: async () => ({ ...outcome, exitCode: 3 }) });
  expect(findBreaches(events)).toEqual([]);
  expect(kindsOf(without(events, ({ type }) => type === 'approval_decided'))).toContain('approval a4');
});
