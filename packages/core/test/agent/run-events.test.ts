import fc from 'fast-check';
import { summariseRun } from '../../src/agent/record/summarise-run.js';
import { expect, test } from 'vitest';
import { effectiveEvents, foldEvents } from '../../src/agent/fold-events.js';
import { initialState } from '../../src/agent/initial-state.js';
import { chainStart, sealEvent } from '../../src/agent/record/seal-event.js';
import { reduceEvent, reduceWith } from '../../src/agent/reduce-event.js';
import type { RunEvent, RunEventBody } from '../../src/agent/run-event.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { ownLists } from '../../src/agent/state-lists.js';
import type { AgentAction } from '../../src/model/action.js';
import { agentWorld, answer, echoTool, named, select, skillFile, type Reply } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';
import { sha256 } from '../sha256.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'Read notes.md, run go.mjs.', { 'allowed-tools': 'Look' }),
  'pdf/notes.md': '# One\nTwo.',
  'pdf/go.mjs': '',
  'sub/SKILL.md': skillFile('sub', 'Work alone.', { 'run-mode': 'subagent' }),
};
const everything: readonly Reply[] = [
  'nonsense',
  {
    action: select('pdf'),
    plan_update: {
      kind: 'replace',
      plan: { goal: 'All', steps: [{ id: '1', title: 'One', status: 'pending' }], assumptions: [], constraints: {} },
    },
  },
  { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'notes.md' },
  { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'missing.md' },
  { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'go.mjs', args: ['x'] },
  { kind: 'call_tool', tool: 'Look', input: { at: ['this'] } },
  { kind: 'search_skills', query: 'pdf' },
  select('sub'),
  answer('From below.'),
  { kind: 'disable_skill', skill: { name: 'sub' } },
  { kind: 'enable_skill', skill: { name: 'sub' } },
  answer('Done.'),
];

function fullWorld() {
  const look = echoTool('Look', {
    run: () => {
      world.clock.advance(7);
      return { output: { seen: 1 } };
    },
  });
  const world = agentWorld(everything, { files, runner: echoRunner(), approver: yes('run'), skillTools: [look] });
  return world;
}

async function recordOf(world = fullWorld()): Promise<readonly RunEvent[]> {
  await runAgent('Do everything.', world.ports, named({ limits: { turns: 40 } }));
  return world.events;
}

test('the same answers of all ports give the same bytes', async () => {
  expect(await recordOf()).toEqual(await recordOf());
});

test('each event is chained to the one before, the first one to the id of the run', async () => {
  const events = await recordOf();
  let prev = chainStart('run', sha256);
  for (const event of events) {
    const { hash, seq, run, at, prev: before, ...body } = event;
    expect(before).toBe(prev);
    expect(sealEvent(body, { seq, run, at, prev: before }, sha256).hash).toBe(hash);
    prev = hash;
  }
});

test('the clock is read once for each event, and nowhere else', async () => {
  const world = fullWorld();
  let reads = 0;
  const clock = {
    now: () => {
      reads += 1;
      return world.clock.now();
    },
  };
  await runAgent('Do everything.', { ...world.ports, clock }, named({ limits: { turns: 40 } }));
  expect(reads).toBe(world.events.length);
});

test('how long an action took comes from the times of its events', async () => {
  const world = fullWorld();
  await recordOf(world);
  const look = world.of('action_started').find(({ action }) => action.kind === 'call_tool');
  expect(world.of('observation_recorded').find(({ id, run }) => id === look?.id && run === 'run')?.duration).toBe(7);
});

test('everything that a registry gave is kept, and nothing is read twice without a record of it', async () => {
  const world = fullWorld();
  await recordOf(world);
  for (const { kept, path, location } of world.of('skill_read')) {
    const file = `${location.slice('memory:/'.length)}/${path}`;
    const content = (files as Readonly<Record<string, string>>)[file];
    if (content !== undefined) expect(world.journal.text(kept!.digest)).toBe(content);
  }
  expect(world.of('skill_read').filter(({ error }) => error !== undefined)).toMatchObject([
    { path: 'missing.md', error: { code: 'FILE_NOT_FOUND' } },
  ]);
  // Nothing is kept where nothing was given.
  const { resources } = summariseRun(world.events);
  expect(world.of('skill_read').find(({ error }) => error !== undefined)).not.toHaveProperty('kept');
  expect(resources.find(({ path }) => path === 'missing.md')).toMatchObject({ digest: undefined, size: undefined });
  const [started] = world.of('run_started');
  expect(world.journal.text(started!.index.kept.digest)).toContain('"What pdf is for."');
  expect(world.journal.text(started!.system.digest)).not.toBe('');
  expect(world.journal.text(started!.options.setup!.digest)).toContain('"name":"Look"');
});

test('any events in any order come to some state, and no event is changed', async () => {
  const events = await recordOf();
  const resumed = {
    ...events[0]!,
    type: 'run_resumed',
    after: 5,
    uncertain: { id: 'a9', action: select('pdf') },
  } as RunEvent;
  const some = fc.array(fc.constantFrom(...events, resumed), { maxLength: 60 });
  const before = JSON.stringify(events);
  fc.assert(
    fc.property(some, (list) => {
      const state = list.reduce(reduceEvent, initialState('run'));
      expect(state.seq).toBe(list.at(-1)?.seq ?? 0);
      expect(Object.values(state.spent).every((value) => value >= 0)).toBe(true);
      const folded = effectiveEvents(list).reduce(reduceEvent, initialState('run'));
      expect(foldEvents(list, 'run')).toEqual(folded);
    }),
    { numRuns: 200 },
  );
  expect(JSON.stringify(events)).toBe(before);
});

test('while events are folded, no list of the state is copied but at its first change', async () => {
  const lists = ownLists();
  const copies = new Set<unknown>();
  let state = initialState('run');
  for (const event of await recordOf()) {
    state = reduceWith(state, event, lists);
    for (const list of [state.conversation, state.audit, state.activations, state.resources]) copies.add(list);
  }
  expect(state.conversation.length).toBeGreaterThan(15);
  // As it began, empty, and as it was changed from then on.
  expect(copies.size).toBeLessThanOrEqual(2 * 4);
});

const long = { timeout: 60_000 };

test('a long record is folded in time linear in its length: copying each list at each event takes longer', long, () => {
  const at = '2026-01-01T00:00:00.000Z';
  const place = { run: 'run', at, prev: sha256(''), hash: sha256('') };
  const turn = (id: string): readonly RunEventBody[] => [
    { type: 'action_started', id, action: { kind: 'search_skills', query: 'pdf' } },
    {
      type: 'observation_recorded',
      id,
      ok: true,
      content: 'Found.',
      contentForUser: undefined,
      output: {},
      error: undefined,
      kept: [],
      duration: 1,
    },
  ];
  const events = Array.from({ length: 100_000 }, (_, index) => turn(`a${index}`))
    .flat()
    .map((body, index): RunEvent => ({ ...body, ...place, seq: index + 1 }));
  expect(foldEvents(events).conversation).toHaveLength(200_000);
});

test('secrets are taken out of events, of kept texts, and of what the model is shown', async () => {
  const secret = 'hunter2-hunter2';
  const told = 'the password is hunter2-hunter2';
  const tool = echoTool('look', {
    run: () => ({
      content: told,
      output: { [told]: told },
      outputs: [{ name: 'all', bytes: new TextEncoder().encode(told) }],
    }),
  });
  const call: AgentAction = { kind: 'call_tool', tool: 'look', input: { told } };
  const world = agentWorld([select('open'), call, answer(told)], {
    files: { 'open/SKILL.md': skillFile('open', told, { license: told }) },
    tools: [tool],
  });
  const redact = (text: string): string => text.replaceAll(secret, '[redacted]');
  const { text } = await runAgent(told, world.ports, named({ redact, instructions: told, system: told }));
  expect(text).toBe('the password is [redacted]');
  expect(JSON.stringify(world.events)).not.toContain(secret);
  for (const digest of world.journal.kept.keys()) expect(world.journal.text(digest)).not.toContain(secret);
  expect(JSON.stringify(world.model.requests)).not.toContain(secret);
  // A tool gets what the model wrote, as the record has it.
  expect(tool.calls).toEqual([{ told: 'the password is [redacted]' }]);
});

test('text that no record could hold ends no run', async () => {
  const half = 'half \uD800 of it';
  const deep = (levels: number): object => (levels === 0 ? { end: half } : { deeper: deep(levels - 1) });
  const tool = echoTool('odd', {
    run: () => ({
      content: half,
      contentForUser: half,
      output: { deep: deep(500), nothing: undefined, number: Number.NaN } as never,
    }),
  });
  const world = agentWorld([{ kind: 'call_tool', tool: 'odd', input: {} }, 'x'.repeat(2_000_000), answer('Done.')], {
    tools: [tool],
    files: { 'odd/SKILL.md': skillFile('odd', 'x', { license: '"\\uD800"' }) },
  });
  expect(await runAgent(half, world.ports, named())).toMatchObject({ text: 'Done.', stop: 'final_answer' });
});
