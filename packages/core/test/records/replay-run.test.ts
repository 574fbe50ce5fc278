import { expect, test } from 'vitest';
import { foldEvents, replayRun, resumeRun, SkillsError, startRun, canonicalJson, recordable } from '../../src/index.js';
import type { AgentPorts, Digest, RunEvent, ScriptOutcome } from '../../src/index.js';
import type { RunRecord } from '../../src/agent/replay/run-record.js';
import {
  agentWorld,
  answer,
  echoTool,
  named,
  select,
  skillFile,
  type AgentWorld,
  type Reply,
} from '../agent/agent-world.js';
import { sha256 } from '../sha256.js';
import { resealed } from './resealed.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', '# Forms\nRead references/forms.md.', { 'allowed-tools': 'pdf_text' }),
  'pdf/references/forms.md': '# Forms\nFill them with care.\n# Other\nNothing.',
  'pdf/scripts/text.mjs': '#!/usr/bin/env node\n',
  'base/SKILL.md': skillFile('base', 'Always.'),
  'report/SKILL.md': skillFile('report', 'Write it.', { 'run-mode': 'subagent' }),
};
const forms = { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'references/forms.md' } as const;
const script = {
  kind: 'run_script',
  skill: { name: 'pdf' },
  relative_path: 'scripts/text.mjs',
  args: ['a b'],
} as const;
const call = (tool: string, input = {}) => ({ kind: 'call_tool', tool, input }) as const;

const outcome = (exitCode: number): ScriptOutcome => ({
  runner: 'process',
  command: ['node', 'text.mjs'],
  exitCode,
  signal: undefined,
  timedOut: false,
  stdout: { bytes: new TextEncoder().encode('out\u0000put'), size: 900, cut: 3 },
  stderr: { bytes: new Uint8Array([255, 254]), size: 2 },
});

const recordOf = ({ journal }: AgentWorld, events: readonly RunEvent[] = journal.events): RunRecord => ({
  events,
  kept: async (digest) => journal.kept.get(digest),
});

const stateHash = (events: readonly RunEvent[]) => sha256(canonicalJson(recordable(foldEvents(events))));

async function recorded(
  replies: readonly Reply[],
  { tools = [] }: Pick<AgentPorts, 'tools'> = {},
): Promise<AgentWorld> {
  const world = agentWorld(replies, { files, tools });
  const run = await startRun(world.ports, named());
  await run.ask('What does a.pdf say?');
  return world;
}

// On a machine that has much else to do.
const patience = { timeout: 300_000 };

async function busyWorld(): Promise<AgentWorld> {
  let ticks = 0;
  let asked = 0;
  const world = agentWorld(
    [
      'nonsense',
      new SkillsError('NETWORK_ERROR', 'Gone.', { hint: 'Try again.' }),
      { kind: 'search_skills', query: 'forms' },
      select('pdf'),
      forms,
      { ...forms, relative_path: 'gone.md' },
      { action: call('long'), plan_update: { kind: 'patch', operations: [{ op: 'remove_step', id: 'none' }] } },
      call('failing'),
      call('throwing'),
      call('pdf_text', { path: 'a.pdf' }),
      script,
      script,
      select('report'),
      forms,
      answer('The child is done.'),
      answer('It says hello.'),
      { kind: 'ask_user', question: 'Which?' },
      call('pdf_text'),
      answer('That one.'),
    ],
    {
      files,
      clock: { now: () => 1_790_000_000_000 + (ticks += 7) },
      tools: [
        echoTool('long', {
          run: () => ({
            content: `long ${'x'.repeat(40_000)}`,
            contentForUser: 'short',
            output: { a: 'y'.repeat(70_000) },
            outputs: [{ name: 'b.bin', bytes: new Uint8Array([0, 255]) }],
          }),
        }),
        echoTool('failing', {
          run: () => ({ ok: false, error: { code: 'FILE_NOT_FOUND', message: 'No such file.' } }),
        }),
        echoTool('throwing', {
          run: () => {
            throw new SkillsError('TIMEOUT', 'Too slow.', { hint: 'Wait.' });
          },
        }),
      ],
      skillTools: [echoTool('pdf_text', { risk: 'high' })],
      approver: {
        decide: async () => {
          asked += 1;
          return asked === 1
            ? { kind: 'denied', reason: 'Not now.', by: 'ada' }
            : { kind: 'approved', scope: 'once', by: 'ada' };
        },
      },
      runner: {
        run: async () => {
          if (asked === 2) throw new SkillsError('FILE_NOT_FOUND', 'It is gone.', { hint: 'Look again.' });
          return outcome(3);
        },
      },
    },
  );
  const run = await startRun(
    world.ports,
    named({ limits: { turns: 30, consecutiveFailures: 20 }, preload: ['base'], instructions: 'Be kind.' }),
  );
  await run.ask({ text: 'What does a.pdf say?', skill: 'pdf' });
  await run.ask('And b.pdf?');
  await run.ask('The second.');
  await run.finish();
  return world;
}

test(
  'PSA-27: a run with scripts, tools, approvals, errors and a child run does the same again from its record alone',
  patience,
  async () => {
    const world = await busyWorld();
    const { events } = world;
    expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(14);
    expect(events.some(({ run }) => run === 'run/1')).toBe(true);
    expect(await replayRun(recordOf(world), { sha256 })).toStrictEqual({
      same: true,
      events: events.length,
      stateHash: stateHash(events),
    });
  },
);

test('PSA-27: whether the adapter handed the tools to its provider is in the record, and the replay tells them as the run did', async () => {
  for (const nativeTools of [true, false, undefined]) {
    const { ports, journal } = agentWorld([call('look'), answer('Done.')], { tools: [echoTool('look')] });
    const run = await startRun({ ...ports, model: { ...ports.model, nativeTools } }, named());
    await run.ask('Look.');
    const record = { events: journal.events, kept: async (digest: Digest) => journal.kept.get(digest) };
    expect(await replayRun(record, { sha256 })).toMatchObject({ same: true });
  }
});

test('PSA-27: wherever a run was cut off, it replays to the last event that it has', patience, async () => {
  const world = await busyWorld();
  for (let length = 1; length <= world.events.length; length += 3) {
    const events = world.events.slice(0, length);
    expect(await replayRun(recordOf(world, events), { sha256 }), `${length} ${events.at(-1)?.type}`).toStrictEqual({
      same: true,
      events: length,
      stateHash: stateHash(events),
    });
  }
});

test.each([
  ['a byte order mark at its beginning', { content: `\uFEFF${'x'.repeat(40_000)}` }],
  ['half a character', { content: `${'x'.repeat(40_000)}\uD800` }],
  [
    'outputs that are called as ours are, or twice the same',
    {
      outputs: ['content.txt', 'output.json', 'a', 'a'].map((name, at) => ({ name, bytes: new Uint8Array([at]) })),
    },
  ],
])('what a tool answers replays with %s', async (_, result) => {
  const world = await recorded([call('odd'), answer('Done.')], { tools: [echoTool('odd', { run: () => result })] });
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true, events: world.events.length });
});

test.each(['plan_\\u0075pdate', 'plan'])('a refused plan that was written as "%s" replays', async (key) => {
  const refusal = `{"action":${JSON.stringify(call('odd'))},"${key}":{"kind":"patch","operations":[{"op":"remove_step","id":"none"}]}}`;
  const world = await recorded([refusal, answer('Done.')], { tools: [echoTool('odd')] });
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true, events: world.events.length });
});

test('a request that was cancelled replays as that', async () => {
  const controller = new AbortController();
  const world = agentWorld(
    [
      select('pdf'),
      () => {
        controller.abort();
        return forms;
      },
      answer('Here again.'),
    ],
    { files },
  );
  const run = await startRun(world.ports, named());
  expect(await run.ask('What?', { signal: controller.signal })).toMatchObject({ stop: 'cancelled' });
  await run.ask('Again?', { signal: AbortSignal.abort() });
  await run.ask('Again?');
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true, events: world.events.length });
});

test('a registry that changes between requests replays as it was', async () => {
  const changing: Record<string, string> = { ...files };
  const world = agentWorld([answer('One.'), select('late'), answer('Two.')], { files: changing });
  const run = await startRun(world.ports, named({ autoReload: true }));
  await run.ask('First?');
  changing['late/SKILL.md'] = skillFile('late', 'Too late.');
  await run.ask('Second?');
  await run.ask({ text: 'Third?', skill: 'late' });
  expect(world.of('index_changed')).toHaveLength(1);
  expect(world.of('skill_activated')).toHaveLength(2);
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true, events: world.events.length });
});

test('a request whose skill could not be read, and was never made, does not keep a record from being replayed', async () => {
  const changing: Record<string, string> = { ...files };
  const world = agentWorld([answer('One.'), answer('Two.')], { files: changing });
  const run = await startRun(world.ports, named());
  await run.ask('First?');
  delete changing['pdf/SKILL.md'];
  await expect(run.ask({ text: 'Second?', skill: 'pdf' })).rejects.toThrow('pdf');
  changing['pdf/SKILL.md'] = '---\nnothing';
  await expect(run.ask({ text: 'Third?', skill: 'pdf' })).rejects.toThrow('pdf');
  await run.ask('Fourth?');
  expect(world.of('skill_read').map(({ error }) => error === undefined)).toContain(false);
  expect(world.of('skill_activated')).toStrictEqual([]);
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true, events: world.events.length });
});

test(
  'SAA-27, PSA-27: a run that was cut off goes on from the last complete turn, and replays as a whole',
  patience,
  async () => {
    const world = await recorded([select('pdf'), forms, answer('Done.')]);
    for (let length = 1; length < world.events.length; length += 1) {
      const before = world.events.slice(0, length);
      const next = agentWorld(
        [
          ({ messages }) =>
            messages.some(({ content }) => content.includes('Fill them'))
              ? answer('Done.')
              : messages.some(({ content }) => content.includes('Read references'))
                ? forms
                : select('pdf'),
          ({ messages }) => (messages.some(({ content }) => content.includes('Fill them')) ? answer('Done.') : forms),
          answer('Done.'),
        ],
        { files },
      );
      for (const bytes of world.journal.kept.values()) await next.journal.keep(bytes);
      for (const event of before) await next.journal.append(event);
      const run = await resumeRun(recordOf(next, before), next.ports);
      const reached = await (run.state.request === undefined ? run.ask('What does a.pdf say?') : run.goOn());
      expect(reached ?? run.state.answer, `${length}`).toMatchObject({ text: 'Done.', stop: 'final_answer' });
      expect(run.state).toStrictEqual(foldEvents(next.events));
      await run.finish();
      expect(await replayRun(recordOf(next), { sha256 }), `${length}`).toMatchObject({
        same: true,
        events: next.events.length,
      });
    }
  },
);

test(
  'whatever answer, observation or file of a record is changed, even with all hashes made anew, the replay tells where',
  patience,
  async () => {
    const world = await busyWorld();
    const changes: readonly [type: RunEvent['type'], change: (event: never) => object][] = [
      ['request_received', () => ({ request: { text: 'Something else?' } })],
      ['model_answered', () => ({ text: JSON.stringify({ action: answer('No.') }) })],
      ['model_failed', () => ({ error: { code: 'UNAUTHORIZED', message: 'No key.' } })],
      ['model_requested', () => ({ tokens: 1 })],
      ['decision_rejected', () => ({ error: { code: 'INVALID_ACTION', message: 'No.' } })],
      ['action_started', () => ({ action: answer('No.') })],
      [
        'skill_activated',
        ({ activation }: { activation: object }) => ({ activation: { ...activation, tools: ['rm'] } }),
      ],
      ['approval_requested', ({ request }: { request: object }) => ({ request: { ...request, summary: 'harmless' } })],
      ['approval_decided', () => ({ decision: { kind: 'denied', reason: 'No.', by: 'eve' } })],
      ['subagent_started', () => ({ skill: 'pdf' })],
      ['turn_finished', ({ spent }: { spent: object }) => ({ spent: { ...spent, tokens: 0 } })],
      ['request_answered', () => ({ answer: 'It says nothing.' })],
      ['observation_recorded', () => ({ ok: true, content: 'All is well.', output: {}, error: undefined })],
    ];
    for (const [type, change] of changes) {
      const at = world.events.findLastIndex((event) => event.type === type);
      const events = resealed(world.events, at, change(world.events[at] as never));
      expect(await replayRun(recordOf(world, events), { sha256 }), type).toMatchObject({ same: false });
    }
    for (const digest of world.journal.kept.keys()) {
      for (const bytes of [undefined, new TextEncoder().encode('changed')]) {
        const record = recordOf(world);
        const kept = async (asked: Digest) => (asked === digest ? bytes : record.kept(asked));
        expect(await replayRun({ ...record, kept }, { sha256 })).toMatchObject({
          same: false,
          reason: expect.stringContaining(digest),
        });
      }
    }
  },
);

test('a record that does not say what its run was started with cannot be replayed or resumed', async () => {
  const world = await recorded([answer('Done.')]);
  const events = resealed(world.events, 0, { options: {} });
  const refusal = expect.toSatisfy((error: unknown) => SkillsError.is(error, 'INVALID_RECORD')) as Error;
  await expect(replayRun(recordOf(world, events), { sha256 })).rejects.toThrow(refusal);
  await expect(resumeRun(recordOf(world, events), world.ports)).rejects.toThrow(refusal);
});

test('a record whose events are others at the end of its replay than they were is not the same', async () => {
  const world = await recorded([answer('Done.')]);
  const record = recordOf(world);
  let reads = 0;
  const changing = (from: number): RunRecord => ({
    ...record,
    get events() {
      reads += 1;
      return reads < from ? record.events : record.events.slice(0, -1);
    },
  });
  expect(await replayRun(changing(Infinity), { sha256 })).toMatchObject({ same: true });
  // The last reading is for the state that the events come to.
  const last = reads;
  reads = 0;
  expect(await replayRun(changing(last), { sha256 })).toMatchObject({
    same: false,
    reason: 'The state of the run is another one than its events come to.',
  });
});

const planNote = '\n\nThe plan was not changed. ';
const noStep = { kind: 'patch', operations: [{ op: 'remove_step', id: 'none' }] } as const;
const newPlan = {
  kind: 'replace',
  plan: { goal: 'All', steps: [{ id: '1', title: 'One', status: 'pending' }], assumptions: [], constraints: {} },
} as const;

test.each([
  ['the plan was refused', noStep],
  ['the plan was changed', newPlan],
  ['nothing was asked of the plan', undefined],
] as const)('a tool that says what a run says of plans replays where %s', async (_, update) => {
  const said = `One.${planNote}It says so.${planNote}Twice.`;
  const turn = { action: call('odd'), ...(update === undefined ? {} : { plan_update: update }) };
  for (const content of [said, `Failed.${planNote}`]) {
    const ok = content === said;
    const run = () => ({
      ok,
      content,
      ...(ok ? {} : { error: { code: 'FILE_NOT_FOUND', message: content } as const }),
    });
    const world = await recorded([turn, answer('Done.')], { tools: [echoTool('odd', { run })] });
    expect(world.of('observation_recorded')[0]?.content.startsWith(content)).toBe(true);
    expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true, events: world.events.length });
  }
});
