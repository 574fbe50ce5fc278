import { expect, test } from 'vitest';
import {
  canonicalJson,
  foldEvents,
  replayRun,
  resumeRun,
  sealEvent,
  startRun,
  SkillsError,
  summariseRun,
} from '../../src/index.js';
import type { AgentAction, AgentOptions, AgentPorts, RunEventBody } from '../../src/index.js';
import {
  agentWorld,
  answer,
  echoTool,
  named,
  select,
  asking,
  skillFile,
  type AgentWorld,
  type Reply,
} from '../agent/agent-world.js';
import { echoRunner } from '../agent/scripts-world.js';
import { sha256 } from '../sha256.js';
import { resealed } from './resealed.js';

const files = { 'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY') };
const call = (tool: string) => ({ kind: 'call_tool', tool, input: {} }) as const;

const recordOf = ({ journal }: AgentWorld) => ({
  events: [...journal.events],
  kept: async (digest: Parameters<typeof journal.kept.get>[0]) => journal.kept.get(digest),
});

/** A run that was cut off in its first turn, and what goes on with it. */
async function cutOff(replies: readonly Reply[], options: Partial<AgentPorts & AgentOptions> = {}) {
  const first = agentWorld([select('pdf'), answer('Done.')], { files });
  await (await startRun(first.ports, named(options))).ask('First?');
  const length = first.types().indexOf('turn_finished') + 1;
  const next = agentWorld(replies, { files, ...options });
  for (const bytes of first.journal.kept.values()) await next.journal.keep(bytes);
  for (const event of first.events.slice(0, length)) await next.journal.append(event);
  return next;
}

async function expectReplay(world: AgentWorld): Promise<void> {
  const report = await replayRun(recordOf(world), { sha256 });
  expect(report).toMatchObject({ same: true, events: world.events.length });
}

test('limits that are given at a resume hold from there, each for itself, and for the next resume', async () => {
  const world = await cutOff([answer('Done.'), answer('More.')], { limits: { turns: 2, toolCalls: 7 } });
  const run = await resumeRun(recordOf(world), world.ports, { limits: { turns: 50 } });
  expect(run.state.limits).toMatchObject({ turns: 50, toolCalls: 7 });
  await run.goOn();
  const again = await resumeRun(recordOf(world), world.ports);
  expect(again.state.limits).toMatchObject({ turns: 50, toolCalls: 7 });
  expect(summariseRun(world.events).limits.turns).toBe(50);
  await expectReplay(world);
});

test('a run that is resumed with another model has its name and its window, and is compacted by that', async () => {
  const long = 'Something that takes room in a window. '.repeat(120);
  const world = agentWorld([answer(long), answer(long), answer(long)], { files, contextTokens: 200_000 });
  const run = await startRun(world.ports, named());
  for (const question of ['One?', 'Two?', 'Three?']) await run.ask(question);
  const model = { ...agentWorld([answer('Done.')]).model, name: 'test:small', contextTokens: 5_000 };
  const resumed = await resumeRun(recordOf(world), { ...world.ports, model });
  expect(resumed.state).toMatchObject({ model: 'test:small', contextTokens: 5_000 });
  expect(await resumed.ask('Four?')).toMatchObject({ text: 'Done.' });
  expect(world.types()).toContain('context_compacted');
  expect(resumed.state).toStrictEqual(foldEvents(world.events));
  expect(summariseRun(world.events).model).toBe('test:small');
  await expectReplay(world);
});

test('a run that was resumed to be asked anew, or to be finished, replays as that', async () => {
  const asked = await cutOff([answer('Other.')]);
  expect(await (await resumeRun(recordOf(asked), asked.ports)).ask('Another?')).toMatchObject({ text: 'Other.' });
  await expectReplay(asked);
  const ended = await cutOff([]);
  await (await resumeRun(recordOf(ended), ended.ports)).finish();
  await expectReplay(ended);
  const twice = await cutOff([answer('Done.'), answer('Other.')]);
  await resumeRun(recordOf(twice), twice.ports);
  const run = await resumeRun(recordOf(twice), twice.ports);
  await expect(run.ask({ text: 'What?', skill: 'none' })).rejects.toSatisfy((error) =>
    SkillsError.is(error, 'SKILL_NOT_FOUND'),
  );
  await run.goOn();
  await run.ask('Another?');
  await expectReplay(twice);
});

test('a run that was resumed with other instructions, tools and approvers replays with each in its part', async () => {
  const world = await cutOff([call('wipe'), answer('Done.')]);
  const approver = { decide: async () => ({ kind: 'approved', scope: 'once', by: 'ada' }) as const };
  const tools = [echoTool('wipe', { risk: 'high' })];
  const ports = { ...world.ports, tools, approver };
  const run = await resumeRun(recordOf(world), ports, {
    system: 'You are another one.',
    instructions: 'Be brief.',
    permissions: asking,
  });
  await run.goOn();
  expect(world.model.requests[0]?.system).toContain('You are another one.');
  expect(tools[0]?.calls).toHaveLength(1);
  await expectReplay(world);
  const last = agentWorld([answer('Again.')], { files });
  const again = await resumeRun(recordOf(world), { ...last.ports, journal: world.journal });
  await again.ask('Again?');
  // What nobody gave again is as it was in the part before; ports are those that are given.
  expect(last.model.requests[0]).toMatchObject({ system: expect.stringContaining('You are another one.'), tools: [] });
  await expectReplay(world);
});

test('an index that changed for a request that was never made does not keep a record from being replayed', async () => {
  const changing: Record<string, string> = { ...files };
  const world = agentWorld([answer('One.'), answer('Two.')], { files: changing });
  const run = await startRun(world.ports, named({ autoReload: true }));
  for (const name of ['late', 'later']) {
    changing[`${name}/SKILL.md`] = skillFile(name, 'Text.');
    await expect(run.ask({ text: 'What?', skill: 'none' })).rejects.toThrow('none');
  }
  await expectReplay(world);
  await run.ask('Now?');
  changing['last/SKILL.md'] = skillFile('last', 'Text.');
  await expect(run.ask({ text: 'What?', skill: 'none' })).rejects.toThrow('none');
  await run.finish();
  expect(world.of('index_changed')).toHaveLength(3);
  await expectReplay(world);
});

/** The record of a run that was cut off in an action, with what else happened in it. */
async function cutOffIn(
  action: AgentAction,
  more: readonly (readonly [run: string, body: RunEventBody])[],
  options: Partial<AgentPorts> = {},
) {
  const first = agentWorld([action, answer('Done.')], { files, ...options });
  await (await startRun(first.ports, named())).ask('First?');
  const events = first.events.slice(0, first.types().indexOf('action_started') + 1);
  const at = events.at(-1)!.at;
  for (const [run, body] of more) {
    events.push(sealEvent(body, { seq: events.length + 1, run, at, prev: events.at(-1)!.hash }, sha256));
  }
  const next = agentWorld([answer('Done.')], { files });
  for (const bytes of first.journal.kept.values()) await next.journal.keep(bytes);
  for (const event of events) await next.journal.append(event);
  return next;
}

test('SAA-27: an action with a tool that nobody knows any more may have taken effect', async () => {
  // While it is known to read only, it did nothing.
  for (const [tools, uncertain] of [
    [[echoTool('look')], undefined],
    [[], 'a1'],
  ] as const) {
    const world = await cutOffIn(call('look'), [], { tools: [echoTool('look')] });
    await resumeRun(recordOf(world), { ...world.ports, tools });
    expect(world.of('run_resumed')[0]?.uncertain?.id).toBe(uncertain);
  }
});

const wipe: RunEventBody = { type: 'action_started', id: 'a1', action: call('wipe') };
const asked: RunEventBody = {
  type: 'approval_requested',
  request: { id: 'a1', tool: 'wipe', risk: 'high', skill: undefined, summary: 'wipe {}', input: {} },
};
const yes: RunEventBody = {
  type: 'approval_decided',
  id: 'a1',
  decision: { kind: 'approved', scope: 'run', by: 'ada' },
};
const no: RunEventBody = { type: 'approval_decided', id: 'a1', decision: { kind: 'denied', reason: '', by: 'ada' } };

test.each<[string, readonly (readonly [string, RunEventBody])[], string | undefined]>([
  [
    'nobody was asked, in another child run somebody was',
    [
      ['run/1', wipe],
      ['run/2', wipe],
      ['run/2', asked],
    ],
    'a1',
  ],
  [
    'nobody had answered',
    [
      ['run/1', wipe],
      ['run/1', asked],
    ],
    undefined,
  ],
  [
    'it was approved',
    [
      ['run/1', wipe],
      ['run/1', asked],
      ['run/1', yes],
    ],
    'a1',
  ],
  [
    'it was denied',
    [
      ['run/1', wipe],
      ['run/1', asked],
      ['run/1', no],
    ],
    undefined,
  ],
  [
    'nobody had answered, and the yes is of another run',
    [
      ['run/1', wipe],
      ['run/1', asked],
      ['run/2', yes],
    ],
    undefined,
  ],
  [
    'it was denied, and the yes is of another run',
    [
      ['run/2', yes],
      ['run/1', wipe],
      ['run/1', asked],
      ['run/1', no],
    ],
    undefined,
  ],
])('whether an action of a child run may have taken effect where %s', async (_, more, uncertain) => {
  const world = await cutOffIn(select('pdf'), more);
  await resumeRun(recordOf(world), world.ports);
  expect(world.of('run_resumed')[0]?.uncertain?.id).toBe(uncertain);
});

test('the ids of child runs are not given twice, also where a run goes on', async () => {
  const sub = { 'sub/SKILL.md': skillFile('sub', 'Work.', { 'run-mode': 'subagent' }) };
  const first = agentWorld([select('sub'), answer('From below.'), answer('Done.')], { files: sub });
  await (await startRun(first.ports, named())).ask('First?');
  // Cut off while the child run was at work: what it did counts for nothing, but its id was given.
  const length = first.events.findIndex(({ run, type }) => run === 'run/1' && type === 'turn_started') + 1;
  const next = agentWorld([select('sub'), answer('Again.'), answer('Done.')], { files: sub });
  for (const bytes of first.journal.kept.values()) await next.journal.keep(bytes);
  for (const event of first.events.slice(0, length)) await next.journal.append(event);
  await (await resumeRun(recordOf(next), next.ports)).goOn();
  expect(next.of('subagent_started').map(({ child }) => child)).toStrictEqual(['run/1', 'run/2']);
  await expectReplay(next);
});

test('a record that was made before permissions were recorded can be gone on with', async () => {
  const first = agentWorld([answer('One.')], { files, runner: echoRunner() });
  const run = await startRun(first.ports, named());
  await run.ask('Begin.');
  const started = first.of('run_started')[0]!;
  const setup = JSON.parse(first.journal.text(started.options.setup!.digest)) as Record<string, unknown>;
  for (const runner of [true, false]) {
    const older = new TextEncoder().encode(canonicalJson({ ...setup, runner }));
    const kept = await first.journal.keep(older);
    const events = resealed(first.events, 0, { options: { ...started.options, setup: kept } });
    const second = agentWorld([answer('Two.')], { files, runner: echoRunner() });
    for (const event of events) await second.journal.append(event);
    const record = {
      events,
      kept: async (digest: Parameters<typeof first.journal.kept.get>[0]) => first.journal.kept.get(digest),
    };
    const resumed = await resumeRun(record, second.ports);
    expect(await resumed.ask('And now?')).toMatchObject({ text: 'Two.' });
  }
});
