import { expect, test } from 'vitest';
import type { AgentPorts } from '../../src/agent/agent-run.js';
import { continueRun } from '../../src/agent/continue-run.js';
import { effectiveEvents, foldEvents } from '../../src/agent/fold-events.js';
import type { RunEvent } from '../../src/agent/run-event.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { AgentAction } from '../../src/model/action.js';
import { agentWorld, answer, echoTool, named, select, skillFile, type AgentWorld, type Reply } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY', { 'allowed-tools': 'Look' }),
  'pdf/notes.md': 'NOTES',
  'pdf/go.mjs': '',
};
const load: AgentAction = { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'notes.md' };
const script: AgentAction = { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'go.mjs', args: [] };
const replies: readonly Reply[] = [select('pdf'), load, script, answer('Done.')];

function world(list: readonly Reply[] = replies, given: Readonly<Record<string, string>> = files): AgentWorld {
  return agentWorld(list, { files: given, runner: echoRunner(), approver: yes('run'), skillTools: [echoTool('Look')] });
}

/** The ports of a second process, whose record begins with what the first one left. */
function portsAfter(cut: readonly RunEvent[], other: AgentWorld): AgentPorts {
  for (const event of cut) void other.journal.append(event);
  return other.ports;
}

test('SAA-27: a run that is cut off after any event goes on from its last complete turn to its answer', async () => {
  const first = world();
  await runAgent('Do it.', first.ports, named());
  const all = first.events;
  for (let length = 1; length < all.length; length += 1) {
    const cut = all.slice(0, length);
    const before = effectiveEvents(cut).filter(({ type }) => type === 'observation_recorded').length;
    const second = world(replies.slice(before));
    const run = await continueRun(cut, portsAfter(cut, second), named());
    expect(run.state.audit.filter(({ ok }) => ok === true).length).toBeGreaterThanOrEqual(before);
    const open = cut.some(({ type }) => type === 'request_received');
    const result = open ? await run.goOn() : await run.ask('Do it.');
    // Of a request that was answered already, there is nothing to go on with.
    if (result !== undefined) expect(result).toMatchObject({ text: 'Done.', stop: 'final_answer' });
    expect(run.state.answer?.text).toBe('Done.');
    expect(run.state.resources).toMatchObject([{ path: 'notes.md' }]);
    expect(foldEvents(second.events)).toEqual(run.state);
    expect(second.events.map(({ seq }) => seq)).toEqual(second.events.map((_, index) => index + 1));
  }
});

test('SAA-27: the state of a resumed run is that of its last complete turn, and the text of its skills is there again', async () => {
  const first = world();
  await runAgent('Do it.', first.ports, named());
  const at = first.events.findIndex(({ type }) => type === 'turn_finished');
  const cut = first.events.slice(0, at + 3);
  const second = world([answer('Done.')]);
  const run = await continueRun(cut, portsAfter(cut, second), named());
  const { seq, hash, at: _, ...state } = run.state;
  const { seq: __, hash: ___, at: ____, ...expected } = foldEvents(first.events.slice(0, at + 1));
  // The model was asked once more for the turn that is left out.
  const lost = { turns: expected.spent.turns + 1 };
  const counted = { spent: { ...expected.spent, ...lost }, totals: { ...expected.totals, ...lost } };
  expect(state).toEqual({ ...expected, ...counted });
  expect([seq, hash]).toEqual([second.events.at(-1)?.seq, second.events.at(-1)?.hash]);
  await run.goOn();
  expect(JSON.stringify(second.model.requests[0])).toContain('PDF-BODY');
  expect(second.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['Look']);
});

function cutAfter(events: readonly RunEvent[], found: (event: RunEvent) => boolean): readonly RunEvent[] {
  return events.slice(0, events.findIndex(found) + 1);
}

test('an action that may have taken effect is told to the model as uncertain, and not done again by itself', async () => {
  const first = world();
  await runAgent('Do it.', first.ports, named());
  const cut = cutAfter(first.events, ({ type }) => type === 'approval_decided');
  const second = world([answer('I looked first.')]);
  const runner = echoRunner();
  const run = await continueRun(cut, { ...portsAfter(cut, second), runner }, named());
  await run.goOn();
  expect(second.of('run_resumed')).toMatchObject([{ uncertain: { id: 'a3', action: { kind: 'run_script' } } }]);
  expect(runner.ran).toEqual([]);
  const content = second.model.requests[0]?.messages.map((message) => message.content).join('\n');
  expect(content).toMatch(/go\.mjs[\s\S]*Whether it took effect is not known/u);
  expect(run.state.audit.find(({ id }) => id === 'a3')).toMatchObject({ ok: false, error: { code: 'INTERRUPTED' } });
});

test('what only reads, and what nobody had said yes to, is not uncertain; no id is given twice', async () => {
  const first = world();
  await runAgent('Do it.', first.ports, named());
  const isLoad = (event: RunEvent) => event.type === 'action_started' && event.action.kind === 'load_resource';
  for (const [cut, ids] of [
    [cutAfter(first.events, isLoad), ['a1', 'a3', 'a4']],
    [cutAfter(first.events, ({ type }) => type === 'approval_requested'), ['a1', 'a2', 'a4', 'a5']],
  ] as const) {
    const second = world([script, answer('Done.')]);
    const run = await continueRun(cut, portsAfter(cut, second), named());
    await run.goOn();
    expect(second.of('run_resumed')[0]?.uncertain).toBeUndefined();
    expect(run.state.audit.map(({ id }) => id)).toEqual(ids);
  }
});

test('a run can be resumed twice, and what was left out stays out', async () => {
  const first = world();
  await runAgent('Do it.', first.ports, named());
  const cut = cutAfter(first.events, ({ type }) => type === 'turn_finished').concat();
  const second = world([load, script]);
  const once = await continueRun(cut, portsAfter(cut, second), named());
  await once.goOn();
  // The second process broke off, too: somewhere in its last turn.
  const torn = second.events.slice(0, -4);
  const third = world([answer('Done.')]);
  const twice = await continueRun(torn, portsAfter(torn, third), named());
  await twice.goOn();
  expect(twice.state.answer?.text).toBe('Done.');
  expect(foldEvents(third.events)).toEqual(twice.state);
  expect(third.of('run_resumed')).toHaveLength(2);
});

test('what changed while a run lay still is seen: other skills, and another text of an active one', async () => {
  const first = world();
  const run = await startRun(first.ports, named());
  await run.ask('Do it.');
  const changed = { ...files, 'pdf/SKILL.md': skillFile('pdf', 'NEW-BODY'), 'new/SKILL.md': skillFile('new', 'x') };
  const second = world([answer('Again.')], changed);
  const resumed = await continueRun(first.events, portsAfter(first.events, second), named());
  expect(await resumed.goOn()).toBeUndefined();
  expect(await resumed.ask('And now?')).toMatchObject({ text: 'Again.' });
  expect(second.of('index_changed')).toMatchObject([{ index: { skills: 2 } }]);
  expect(second.of('skill_activated')).toHaveLength(2);
  expect(resumed.state.activations).toHaveLength(1);
  expect(resumed.state.activations[0]?.digest).not.toBe(first.of('skill_activated')[0]?.activation.digest);
});

test('skills that were switched off stay off, and no record approves anything: that is asked for again', async () => {
  const first = world([
    select('pdf'),
    script,
    { kind: 'disable_skill', skill: { name: 'pdf' } },
    { kind: 'ask_user', question: 'On?' },
  ]);
  await (await startRun(first.ports, named())).ask('Do it.');
  const second = world([{ kind: 'enable_skill', skill: { name: 'pdf' } }, script, answer('Done.')]);
  const whoever = yes('once');
  const ports = { ...portsAfter(first.events, second), approver: whoever };
  const run = await continueRun(first.events, ports, named());
  await run.ask('Yes.');
  expect(second.model.requests[0]?.system).not.toContain('What pdf is for');
  expect(first.of('approval_decided')).toMatchObject([{ decision: { kind: 'approved', scope: 'run' } }]);
  expect(whoever.asked).toMatchObject([{ tool: 'run_script', skill: { name: 'pdf' } }]);
  expect(run.state.answer?.text).toBe('Done.');
});

test('a record that is not that of the run is refused', async () => {
  const first = world([answer('Done.')]);
  await runAgent('Do it.', first.ports, named());
  for (const [events, id] of [
    [[], 'run'],
    [first.events, 'other'],
    [first.events.slice(1), 'run'],
  ] as const) {
    await expect(continueRun(events, world().ports, { id })).rejects.toSatisfy((error) =>
      SkillsError.is(error, 'INVALID_RECORD'),
    );
  }
});
