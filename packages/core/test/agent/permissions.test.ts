import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createSkillSession } from '../../src/agent/create-skill-session.js';
import { findBreaches } from '../../src/agent/record/find-breaches.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { AgentAction } from '../../src/model/action.js';
import type { Permissions } from '../../src/policy/permissions.js';
import { defineTool } from '../../src/tool/define-tool.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, asking, echoTool, named, select, skillFile, type AgentWorld } from './agent-world.js';
import { approver, echoRunner, yes } from './scripts-world.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY', { 'allowed-tools': 'read_file Bash(python:*)' }),
  'pdf/notes.md': 'NOTES',
  'pdf/go.py': '',
  'plain/SKILL.md': skillFile('plain', 'PLAIN-BODY'),
  'plain/go.py': '',
};
const restrict: Permissions = { ...asking, allowedTools: 'restrict' };
const call = (tool: string, input = {}): AgentAction => ({ kind: 'call_tool', tool, input });
const script = (name: string): AgentAction => ({
  kind: 'run_script',
  skill: { name },
  relative_path: 'go.py',
  args: [],
});

async function replays(world: AgentWorld): Promise<void> {
  const kept = async (digest: Parameters<typeof world.journal.kept.get>[0]) => world.journal.kept.get(digest);
  expect(await replayRun({ events: world.events, kept }, { sha256 })).toMatchObject({ same: true });
  expect(findBreaches(world.events)).toEqual([]);
}

/** What was judged, asked and told of each use, in order. */
function told({ events }: AgentWorld): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === 'tool_judged') return [`${event.id} ${event.verdict} by ${event.by}`];
    if (event.type === 'approval_decided') return [`${event.id} ${event.decision.kind}`];
    return event.type === 'observation_recorded' && event.error !== undefined
      ? [`${event.id} ${event.error.code}`]
      : [];
  });
}

test('PSA-13: where nothing is said, what reads is done, what is of medium risk asks, and what is of high risk is off', async () => {
  const tools = [echoTool('look'), echoTool('step', { risk: 'medium' }), echoTool('wipe', { risk: 'high' })];
  const whoever = yes('once');
  const world = agentWorld([call('look'), call('step'), call('wipe'), answer('Done.')], { tools, approver: whoever });
  await runAgent('Do it.', world.ports, named());
  expect(tools.map(({ calls }) => calls.length)).toEqual([1, 1, 0]);
  expect(whoever.asked.map(({ tool }) => tool)).toEqual(['step']);
  expect(told(world)).toEqual([
    'a1 allow by configuration',
    'a2 approved',
    'a3 refuse by configuration',
    'a3 TOOL_NOT_ALLOWED',
  ]);
  // What could never be used is not offered either.
  expect(world.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['look', 'step']);
  await replays(world);
});

test.each([
  ['the configuration', { configured: { ask: ['*'], deny: ['look'] } }, 'configuration'],
  ['the run', { run: { allow: ['step'] } }, 'run'],
  ['a skill', restrict, 'skill'],
] as const)(
  'a use that %s refuses is not done, and the model is told who refuses it and what is allowed',
  async (_, permissions, by) => {
    const look = echoTool('look');
    const world = agentWorld([select('pdf'), call('look'), answer('Done.')], {
      files,
      tools: [look, echoTool('step', { risk: 'medium' })],
      approver: yes('run'),
    });
    await runAgent('Do it.', world.ports, named({ permissions }));
    expect(look.calls).toEqual([]);
    expect(told(world)).toEqual([`a2 refuse by ${by}`, 'a2 TOOL_NOT_ALLOWED']);
    const content = world.of('observation_recorded').at(-1)?.content;
    expect(content).toContain('look');
    if (by === 'skill') expect(content).toMatch(/“pdf”[\s\S]*“read_file”, “Bash\(python:\*\)”/u);
    await replays(world);
  },
);

test('AGIO-15: skills are found, read and switched without any permission, and everything else goes through one place', async () => {
  // Such that there are tools, and scripts, that could be used.
  const nothing: Permissions = { configured: { allow: [], ask: ['other', 'run_script(none.py)'] } };
  const tools = [echoTool('look'), echoTool('wipe', { risk: 'high' }), echoTool('other')];
  const runner = echoRunner();
  const whoever = yes('session');
  const replies: readonly AgentAction[] = [
    { kind: 'search_skills', query: 'pdf' },
    select('pdf'),
    { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'notes.md' },
    { kind: 'disable_skill', skill: { name: 'plain' } },
    { kind: 'enable_skill', skill: { name: 'plain' } },
    call('look'),
    call('wipe'),
    script('pdf'),
  ];
  const world = agentWorld([...replies, answer('Done.')], { files, tools, runner, approver: whoever });
  await runAgent('Do it.', world.ports, named({ permissions: nothing, limits: { consecutiveFailures: 9 } }));
  const observed = world.of('observation_recorded').map(({ ok, error }) => error?.code ?? ok);
  expect(observed).toEqual([true, true, true, true, true, ...Array.from({ length: 3 }, () => 'TOOL_NOT_ALLOWED')]);
  expect(world.of('tool_judged').map(({ id }) => id)).toEqual(['a6', 'a7', 'a8']);
  expect([tools[0]?.calls, tools[1]?.calls, runner.ran, whoever.asked]).toEqual([[], [], [], []]);
  await replays(world);
});

test.each([
  ['grant', ['a2 allow by skill', 'a3 approved'], ['write_file']],
  ['restrict', ['a2 approved', 'a3 refuse by skill', 'a3 TOOL_NOT_ALLOWED'], ['run_script']],
  ['ignore', ['a2 approved', 'a3 approved'], ['run_script', 'write_file']],
] as const)('AGIO-16: allowed-tools of a skill %s', async (allowedTools, expected, asked) => {
  const whoever = yes('once');
  const listed = allowedTools === 'grant' ? 'Bash(python:*) Write' : 'Bash(python:*)';
  const own = { ...files, 'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY', { 'allowed-tools': listed }) };
  const tools = [echoTool('write_file', { risk: 'high' })];
  const runner = { ...echoRunner(), confinement: { name: 'box', leaves: [] } };
  const world = agentWorld([select('pdf'), script('pdf'), call('write_file', { path: 'a' }), answer('Done.')], {
    files: own,
    tools,
    runner,
    approver: whoever,
  });
  await runAgent('Do it.', world.ports, named({ permissions: { ...asking, allowedTools } }));
  expect(told(world)).toEqual(expected);
  expect(whoever.asked.map(({ tool }) => tool)).toEqual(asked);
  await replays(world);
});

test('AGIO-16: a grant says yes to a script only where the runner confines it', async () => {
  for (const [confinement, asked] of [
    [undefined, 1],
    [{ name: 'box', leaves: ['it reaches the network'] }, 0],
  ] as const) {
    const whoever = yes('once');
    const runner = { ...echoRunner(), ...(confinement && { confinement }) };
    const world = agentWorld([select('pdf'), script('pdf'), answer('Done.')], { files, runner, approver: whoever });
    await runAgent('Do it.', world.ports, named({ permissions: { allowedTools: 'grant' } }));
    expect(whoever.asked).toHaveLength(asked);
    await replays(world);
  }
});

test('a restriction holds for tools of the beginning once the skill was read, also when it is switched off or reads otherwise now', async () => {
  const look = echoTool('look');
  const changing: Record<string, string> = { ...files };
  const off: AgentAction = { kind: 'disable_skill', skill: { name: 'pdf' } };
  const world = agentWorld(
    [call('look'), select('pdf'), call('look'), off, call('look'), answer('One.'), call('look'), answer('Two.')],
    {
      files: changing,
      tools: [look],
    },
  );
  const run = await startRun(world.ports, named({ permissions: restrict, autoReload: true }));
  await run.ask('Do it.');
  await run.enable('pdf');
  changing['pdf/SKILL.md'] = skillFile('pdf', 'NEW-BODY');
  await run.ask('And now?');
  expect(run.state.activations).toMatchObject([{ name: 'pdf' }]);
  expect(run.state.activations[0]?.allowedTools).toBeUndefined();
  await run.finish();
  expect(look.calls).toHaveLength(1);
  expect(told(world).filter((line) => line.includes('refuse'))).toEqual([
    'a3 refuse by skill',
    'a5 refuse by skill',
    'a7 refuse by skill',
  ]);
  await replays(world);
});

test('a tool that comes with a skill is one that it may use, though its author could not list it, and is asked for all the same', async () => {
  const aid = echoTool('aid', { risk: 'medium' });
  const whoever = yes('once');
  const world = agentWorld([select('pdf'), call('aid'), answer('Done.')], {
    files,
    groupedTools: { pdf: [aid] },
    approver: whoever,
  });
  await runAgent('Do it.', world.ports, named({ permissions: restrict }));
  expect([aid.calls.length, whoever.asked.length]).toEqual([1, 1]);
  await replays(world);
});

test('what a child run is asked for is subject to the skills of its parent, but for what its own skill lists', async () => {
  const child = {
    ...files,
    'survey/SKILL.md': skillFile('survey', 'SURVEY', { 'run-mode': 'subagent' }),
    'listed/SKILL.md': skillFile('listed', 'LISTED', { 'run-mode': 'subagent', 'allowed-tools': 'look' }),
  };
  for (const [name, calls] of [
    ['survey', 0],
    ['listed', 1],
  ] as const) {
    const look = echoTool('look');
    const world = agentWorld([select('pdf'), select(name), call('look'), answer('Child.'), answer('Done.')], {
      files: child,
      tools: [look],
    });
    await runAgent('Do it.', world.ports, named({ permissions: restrict }));
    expect(look.calls, name).toHaveLength(calls);
    expect(
      world.model.requests[2]?.tools.map((tool) => tool.name),
      name,
    ).toEqual(calls === 1 ? ['look'] : []);
    await replays(world);
  }
});

test('PSA-11: input that does not fit is told before anybody is asked, and nothing of it is done', async () => {
  let ran = 0;
  const whoever = yes('run');
  const tool = defineTool(
    {
      name: 'cut',
      description: 'Cuts.',
      input: z.object({ length: z.number() }),
      risk: 'medium',
      check: ({ length }) => {
        if (length > 9) throw new SkillsError('INVALID_INPUT', `${length} is too long.`, { hint: 'At most 9.' });
      },
      run: () => ({ content: `cut ${(ran += 1)}` }),
    },
    { clock: { now: () => 0 } },
  );
  const world = agentWorld(
    [call('cut', { length: 'x' }), call('cut', { length: 10 }), call('cut', { length: 9 }), answer('Done.')],
    {
      tools: [tool],
      approver: whoever,
    },
  );
  await runAgent('Do it.', world.ports, named());
  expect([ran, whoever.asked.length]).toEqual([1, 1]);
  expect(told(world)).toEqual(['a1 INVALID_INPUT', 'a2 INVALID_INPUT', 'a3 approved']);
  await replays(world);
});

test('a check that answers later lets nothing through', async () => {
  const tool = { ...echoTool('cut'), check: async () => Promise.reject(new Error('too late')) };
  const world = agentWorld([call('cut'), answer('Done.')], { tools: [tool] });
  await runAgent('Do it.', world.ports, named());
  expect([tool.calls, told(world)]).toEqual([[], ['a1 INTERNAL']]);
  await replays(world);
});

test('what could never be done, a model is not offered as an action either', async () => {
  const offered = async (permissions: Permissions) => {
    const world = agentWorld([answer('Done.')], { files, tools: [echoTool('look')], runner: echoRunner() });
    await runAgent('Do it.', world.ports, named({ permissions }));
    return world.model.requests[0]!.actions.filter((kind) => kind === 'run_script' || kind === 'call_tool');
  };
  expect(await offered({})).toEqual(['run_script', 'call_tool']);
  expect(await offered({ run: { deny: ['run_script'], allow: ['*'] } })).toEqual(['call_tool']);
  expect(await offered({ configured: { allow: [], ask: ['run_script'] } })).toEqual(['run_script']);
  expect(await offered({ configured: { deny: ['http_request'] } })).toEqual(['run_script', 'call_tool']);
  expect(await offered({ configured: { allow: [], ask: [] } })).toEqual([]);
});

test('the record says of what a run was allowed, and what scripts could do in it', async () => {
  const runner = {
    ...echoRunner(),
    confinement: { name: 'box', leaves: ['it reads /etc'] },
    leaves: ['it writes /tmp'],
  };
  const whoever = yes('once');
  const world = agentWorld([select('pdf'), script('pdf'), answer('Done.')], { files, runner, approver: whoever });
  await runAgent('Do it.', world.ports, named({ permissions: restrict }));
  const setup = world.of('run_started')[0]?.options.setup;
  expect(JSON.parse(world.journal.text(setup!.digest))).toMatchObject({
    settings: { permissions: restrict },
    runner: { confinement: runner.confinement, leaves: runner.leaves },
  });
  expect(whoever.asked).toMatchObject([{ confinement: 'box' }]);
  await replays(world);
});

test('permissions that cannot be read, or not recorded, start no run', async () => {
  const wrong: readonly unknown[] = [
    { configured: { allow: ['no(such'] } },
    { allowed: [] },
    { allowedTools: 'yes' },
    7,
  ];
  for (const permissions of wrong) {
    const { ports } = agentWorld([]);
    // Cast: whoever calls may write in a language without types.
    await expect(startRun(ports, named({ permissions: permissions as Permissions }))).rejects.toSatisfy((error) =>
      SkillsError.is(error, 'USAGE'),
    );
  }
  const secret = named({
    permissions: { configured: { deny: ['hunter2'] } },
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
  });
  await expect(startRun(agentWorld([]).ports, secret)).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
});

test('a person who was asked and says no is asked for nothing that a skill refuses', async () => {
  const whoever = approver({ kind: 'denied', reason: 'No.', by: 'test' });
  const runner = echoRunner();
  const world = agentWorld([select('plain'), script('plain'), answer('Done.')], { files, runner, approver: whoever });
  const permissions: Permissions = {
    configured: { allow: ['risk:low'], ask: ['run_script'], deny: ['run_script(*.py)'] },
  };
  await runAgent('Do it.', world.ports, named({ permissions }));
  expect([runner.ran, whoever.asked]).toEqual([[], []]);
});

test('a loop of somebody else judges by the same rules, with the skills that its session has read', async () => {
  const { registry } = agentWorld([], { files }).ports;
  const brought = echoTool('aid', { risk: 'medium' });
  const session = createSkillSession(registry, { sha256, groupedTools: { pdf: [brought] } }, { permissions: restrict });
  const use = { action: 'call_tool', tool: 'look', risk: 'low', input: {}, runsCode: false, confined: false } as const;
  expect(session.judge(use)).toEqual({ kind: 'allow' });
  const entry = (await session.view.get('pdf'))!;
  const run = {
    action: 'run_script',
    tool: 'run_script',
    risk: 'medium',
    input: {},
    runsCode: true,
    confined: false,
    skill: entry.location,
    script: { path: 'go.py', folder: entry.location, args: [] },
  } as const;
  expect(session.judge(run)).toMatchObject({ kind: 'refuse' });
  await session.activate(entry, { by: 'model', reason: 'It fits.' });
  expect(session.judge(use)).toMatchObject({ kind: 'refuse', by: 'skill' });
  expect(session.judge(run)).toEqual({ kind: 'ask' });
  await session.view.disable('pdf', { by: 'model' });
  expect(session.judge(use)).toMatchObject({ kind: 'refuse', by: 'skill' });
  expect(session.judge(run)).toMatchObject({ kind: 'refuse' });
});

test('the record says which rule denied something, and which skill granted or refused it', async () => {
  const ownFiles = { 'mine/SKILL.md': skillFile('mine', 'Step.', { 'allowed-tools': 'step' }) };
  const tools = [echoTool('step', { risk: 'medium' }), echoTool('look'), echoTool('wipe', { risk: 'high' })];
  const skill = { name: 'mine', location: expect.stringMatching(/mine$/u) };
  for (const [mode, judged] of [
    [
      'grant',
      [
        { verdict: 'allow', by: 'skill', skill },
        { verdict: 'refuse', by: 'configuration', rule: 'look' },
        { verdict: 'refuse', by: 'run' },
      ],
    ],
    [
      'restrict',
      [
        { verdict: 'refuse', by: 'configuration', rule: 'look' },
        { verdict: 'refuse', by: 'skill', skill },
      ],
    ],
  ] as const) {
    const world = agentWorld([select('mine'), call('step'), call('look'), call('wipe'), answer('Done.')], {
      files: ownFiles,
      tools,
      approver: yes('once'),
    });
    const permissions: Permissions = {
      configured: { allow: ['*'], ask: ['risk:medium'], deny: ['look'] },
      run: { allow: mode === 'grant' ? ['look', 'step'] : ['*'] },
      allowedTools: mode,
    };
    const { state } = await runAgent('Do it.', world.ports, named({ permissions }));
    const noted = state.audit.flatMap(({ judged: one }) => one ?? []);
    expect([mode, noted]).toEqual([mode, judged]);
    await replays(world);
  }
});
