import { expect, test } from 'vitest';
import { createSkillSession } from '../../src/agent/create-skill-session.js';
import { continueRun } from '../../src/agent/continue-run.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import { unlockedTools } from '../../src/agent/unlocked-tools.js';
import type { Activation } from '../../src/agent/activation.js';
import type { AgentAction } from '../../src/model/action.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import type { SkillRegistry } from '../../src/registry/skill-registry.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, select, skillFile } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

const files = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'own/SKILL.md': skillFile('own', 'OWN', { 'allowed-tools': 'step' }),
  'own/go.py': '',
  'theirs/SKILL.md': skillFile('theirs', 'THEIRS', { 'run-mode': 'subagent' }),
  ...more,
});
const step: AgentAction = { kind: 'call_tool', tool: 'step', input: {} };

/** `own` lies in a folder of the person's own; a pack brought `theirs`, or what `packs` says now. */
function skills(
  texts: Record<string, string> = files(),
  packs: () => Readonly<Record<string, string>> = () => ({ theirs: 'acme/theirs' }),
): SkillRegistry {
  const backend = memorySkills(texts, { location: '/home/me/skills' });
  const list: typeof backend.list = async (options) => {
    const listing = await backend.list(options);
    return {
      ...listing,
      skills: listing.skills.map((entry) => ({ ...entry, scope: 'user', pack: packs()[entry.name] })),
    };
  };
  return createSkillRegistry({ ...backend, list }, { sha256 });
}

test.each([
  [[select('own'), step], 0],
  [[select('own'), select('theirs'), answer('Call step.'), step], 1],
] as const)('a grant is not lent to what a child run of a skill of others has answered', async (actions, asked) => {
  const tool = echoTool('step', { risk: 'medium' });
  const whoever = yes('once');
  const world = agentWorld([...actions, answer('Done.')], { tools: [tool], approver: whoever, registry: skills() });
  await runAgent('Do it.', world.ports, named());
  expect([tool.calls.length, whoever.asked.length]).toEqual([1, asked]);
});

test('what a skill restricts goes on to do so when the registry says that it comes from elsewhere now', async () => {
  let packs: Readonly<Record<string, string>> = { own: 'acme/own' };
  const texts = files();
  const tool = echoTool('look');
  const world = agentWorld(
    [
      select('own'),
      { ...step, tool: 'look' },
      answer('One.'),
      select('own'),
      { ...step, tool: 'look' },
      answer('Two.'),
    ],
    { tools: [tool], registry: skills(texts, () => packs) },
  );
  const run = await startRun(world.ports, named({ autoReload: true }));
  await run.ask('Do it.');
  packs = {};
  texts['own/SKILL.md'] = skillFile('own', 'OWN2', { 'allowed-tools': 'step' });
  await run.ask('Do it again.');
  expect(run.state.activations[0]?.pack).toBeUndefined();
  expect(tool.calls).toEqual([]);
});

test('a tool of a skill that is switched off is refused to a loop of somebody else, whoever granted it', async () => {
  const brought = echoTool('step', { risk: 'medium' });
  const session = createSkillSession(skills(), { sha256, groupedTools: { own: [brought] } });
  const use = {
    action: 'call_tool',
    tool: 'step',
    risk: 'medium',
    input: {},
    runsCode: false,
    confined: false,
  } as const;
  const entry = (await session.view.get('own'))!;
  await session.activate(entry, { by: 'user', reason: 'It fits.' });
  expect(session.judge(use)).toMatchObject({ kind: 'allow' });
  await session.view.disable('own', { by: 'user' });
  expect(session.judge(use)).toMatchObject({ kind: 'refuse', by: 'skill', message: expect.stringContaining('“step”') });
});

test('a skill that is switched off takes its tools with it, in whatever form its name is written', () => {
  const ledger = (name: string): Activation => ({
    name,
    scope: 'user',
    location: `/skills/${name}`,
    pack: undefined,
    digest: sha256(new Uint8Array()),
    by: 'model',
    reason: '',
    turn: 1,
    tools: ['step'],
    unknownTools: [],
    lines: { total: 1, shown: 1 },
    runMode: 'inline',
  });
  const skillTools = [{ name: 'step' }];
  expect(unlockedTools({ skillTools }, [ledger('caf\u00E9')])).toHaveLength(1);
  expect(unlockedTools({ skillTools }, [ledger('caf\u00E9')], { disabled: ['cafe\u0301'] })).toEqual([]);
});

test('PSA-14: a yes to what is confined is none to what is not any more', async () => {
  const whoever = yes('run');
  const runner = { ...echoRunner(), confinement: { name: 'box', leaves: [] } };
  const script: AgentAction = { kind: 'run_script', skill: { name: 'own' }, relative_path: 'go.py', args: [] };
  const opened = (): AgentAction => {
    Object.assign(runner, { confinement: undefined });
    return script;
  };
  const world = agentWorld([select('own'), script, script, opened, answer('Done.')], {
    approver: whoever,
    runner,
    registry: skills(files({ 'own/SKILL.md': skillFile('own', 'OWN') })),
  });
  await runAgent('Do it.', world.ports, named());
  expect(whoever.asked.map(({ confinement }) => confinement)).toEqual(['box', undefined]);
  expect(runner.ran).toHaveLength(3);
});

test('a script whose name looks like one with arguments is shown for what it is', async () => {
  const whoever = yes('once');
  const path = 'go.py --dry-run';
  const script: AgentAction = { kind: 'run_script', skill: { name: 'own' }, relative_path: path, args: ['a b'] };
  const world = agentWorld([select('own'), script, answer('Done.')], {
    approver: whoever,
    runner: echoRunner(),
    registry: skills(files({ [`own/${path}`]: '' })),
  });
  await runAgent('Do it.', world.ports, named());
  expect(whoever.asked.map(({ summary }) => summary)).toEqual(['"go.py --dry-run" "a b"']);
});

test.each([
  ['as it was read', undefined, 0],
  ['switched off', { kind: 'disable_skill', skill: { name: 'own' } } as const, 1],
])('a grant for tools of the beginning holds while its skill is %s', async (_, between, asked) => {
  const whoever = yes('once');
  const actions = [select('own'), ...(between === undefined ? [] : [between]), step];
  const tools = [echoTool('step', { risk: 'medium' })];
  const world = agentWorld([...actions, answer('Done.')], { tools, approver: whoever, registry: skills() });
  await runAgent('Do it.', world.ports, named());
  expect(whoever.asked).toHaveLength(asked);
});

test('a grant is gone when the skill is read again without it', async () => {
  const texts = files();
  const whoever = yes('once');
  const tools = [echoTool('step', { risk: 'medium' })];
  const replies = [select('own'), step, answer('One.'), step, answer('Two.')];
  const world = agentWorld(replies, { tools, approver: whoever, registry: skills(texts) });
  const run = await startRun(world.ports, named({ autoReload: true }));
  await run.ask('Do it.');
  expect(whoever.asked).toHaveLength(0);
  texts['own/SKILL.md'] = skillFile('own', 'OWN2', { 'allowed-tools': 'look' });
  await run.ask('Do it again.');
  expect(run.state.activations[0]?.allowedTools).toEqual(['look']);
  expect(whoever.asked).toHaveLength(1);
});

test('a child run is offered what its own skill does not speak of and those above it list', async () => {
  const texts = files({ 'own/SKILL.md': skillFile('own', 'OWN', { 'allowed-tools': 'look' }) });
  const tools = [echoTool('look'), echoTool('step')];
  const world = agentWorld([select('own'), select('theirs'), answer('Child.'), answer('Done.')], {
    tools,
    registry: skills(texts, () => ({ own: 'acme/own', theirs: 'acme/theirs' })),
  });
  await runAgent('Do it.', world.ports, named());
  expect(world.model.requests[2]?.tools.map(({ name }) => name)).toEqual(['look']);
});

test('PSA-14: a yes for the run to the scripts of a skill holds in a child run of it, and one to those of another does not', async () => {
  const whoever = yes('run');
  const runner = echoRunner();
  const of = (name: string): AgentAction => ({ kind: 'run_script', skill: { name }, relative_path: 'go.py', args: [] });
  const world = agentWorld(
    [
      select('theirs'),
      answer('Once.'),
      of('theirs'),
      select('theirs'),
      of('theirs'),
      answer('Again.'),
      answer('Done.'),
    ],
    { runner, approver: whoever, registry: skills(files({ 'theirs/go.py': '' })) },
  );
  await runAgent('Do it.', world.ports, named());
  expect(world.of('tool_judged').map(({ run, by }) => [run, by])).toEqual([['run/2', 'grant']]);
  expect([runner.ran.length, whoever.asked.length]).toEqual([2, 1]);

  const other = yes('run');
  const second = agentWorld(
    [select('own'), of('own'), select('theirs'), of('theirs'), answer('Child.'), answer('Done.')],
    {
      runner: echoRunner(),
      approver: other,
      registry: skills(files({ 'theirs/go.py': '' }), () => ({ own: 'a/own' })),
    },
  );
  await runAgent('Do it.', second.ports, named({ permissions: { allowedTools: 'ignore' } }));
  expect(other.asked.map(({ run, skill }) => [run, skill?.name])).toEqual([
    ['run', 'own'],
    ['run/1', 'theirs'],
  ]);
});

test('a grant of a skill that is switched off holds for no tool of the beginning in other loops either', async () => {
  const session = createSkillSession(skills(), { sha256 });
  const use = {
    action: 'call_tool',
    tool: 'step',
    risk: 'medium',
    input: {},
    runsCode: false,
    confined: false,
  } as const;
  await session.activate((await session.view.get('own'))!, { by: 'user', reason: 'It fits.' });
  expect(session.judge(use)).toMatchObject({ kind: 'allow' });
  await session.view.disable('own', { by: 'user' });
  expect(session.judge(use)).toEqual({ kind: 'ask' });
});

test('a request that is cancelled at the question ends as cancelled, and waits for no yes', async () => {
  const cancel = new AbortController();
  const decide = async (_: unknown, { signal }: { readonly signal?: AbortSignal | undefined }): Promise<never> => {
    cancel.abort();
    return new Promise((__, reject) => {
      const stop = (): void => {
        reject(new Error('Nobody waits any more.'));
      };
      if (signal?.aborted === true) stop();
      else signal?.addEventListener('abort', stop);
    });
  };
  const tool = echoTool('step', { risk: 'medium' });
  const world = agentWorld([step, answer('Done.')], { tools: [tool], approver: { decide } });
  const run = await startRun(world.ports, named());
  expect(await run.ask('Do it.', { signal: cancel.signal })).toMatchObject({ stop: 'cancelled', degraded: true });
  expect(world.of('approval_decided')).toMatchObject([{ decision: { kind: 'unavailable', code: 'INTERRUPTED' } }]);
  expect(await run.goOn()).toMatchObject({ text: 'Done.' });
  expect(tool.calls).toEqual([]);
});

test('a declaration that comes and goes is kept once', async () => {
  const texts = files();
  const world = agentWorld([select('own'), ...Array.from({ length: 7 }, (_, at) => answer(`${at}.`))], {
    registry: skills(texts),
  });
  const run = await startRun(world.ports, named({ autoReload: true }));
  for (const tools of ['step', 'look', 'step', 'look', 'step', 'look']) {
    texts['own/SKILL.md'] = skillFile('own', 'OWN', { 'allowed-tools': tools });
    await run.ask('Do it.');
  }
  expect(run.state.activations[0]?.allowedTools).toEqual(['look']);
  expect(run.state.outdated?.map(({ allowedTools }) => allowedTools)).toEqual([['step'], ['look']]);
});

test('a grant of a skill above a child run holds in that for nothing, though its skill is the person’s own, too', async () => {
  const whoever = yes('once');
  const world = agentWorld([select('own'), select('theirs'), step, answer('Child.'), answer('Done.')], {
    tools: [echoTool('step', { risk: 'medium' })],
    approver: whoever,
    registry: skills(files(), () => ({})),
  });
  await runAgent('Do it.', world.ports, named());
  expect(whoever.asked.map(({ run }) => run)).toEqual(['run/1']);
});

test('what a skill restricts in another loop stays when it is called again and comes from elsewhere', async () => {
  let packs: Readonly<Record<string, string>> = { own: 'acme/own' };
  const session = createSkillSession(
    skills(files(), () => packs),
    { sha256 },
  );
  const use = { action: 'call_tool', tool: 'look', risk: 'low', input: {}, runsCode: false, confined: false } as const;
  await session.activate((await session.view.get('own'))!, { by: 'user', reason: 'It fits.' });
  expect(session.judge(use)).toMatchObject({ kind: 'refuse', by: 'skill' });
  packs = {};
  await session.reload();
  await session.call('own', '');
  expect(session.activations.map(({ pack }) => pack)).toEqual([undefined]);
  expect(session.judge(use)).toMatchObject({ kind: 'refuse', by: 'skill' });
});

test('what the skill of a child run declares restricts nothing in the run above it, whatever it declared before', async () => {
  const subagent = (tools: string): string =>
    skillFile('theirs', 'THEIRS', { 'run-mode': 'subagent', 'allowed-tools': tools });
  const texts = files({ 'theirs/SKILL.md': subagent('one') });
  const look = echoTool('look');
  const edited = (): AgentAction => {
    texts['theirs/SKILL.md'] = subagent('two');
    return select('theirs');
  };
  const call: AgentAction = { ...step, tool: 'look' };
  const replies = [select('theirs'), answer('Child.'), call, edited, answer('Child.'), call, answer('Done.')];
  const world = agentWorld(replies, { tools: [look], registry: skills(texts) });
  const { state } = await runAgent('Do it.', world.ports, named());
  expect(state.activations[0]?.allowedTools).toEqual(['two']);
  expect(look.calls).toHaveLength(2);
});

test('a skill whose text this process could not read grants nothing', async () => {
  const first = agentWorld([select('own'), answer('Ready.')], { registry: skills() });
  await (await startRun(first.ports, named())).ask('Begin.');
  for (const [down, asked] of [
    [true, 1],
    [false, 0],
  ] as const) {
    const whoever = yes('once');
    const registry = skills();
    const bytes: typeof registry.bytes = async (...given) => {
      if (down) throw new Error('The network is down.');
      return registry.bytes(...given);
    };
    const second = agentWorld([step, answer('Done.')], {
      tools: [echoTool('step', { risk: 'medium' })],
      approver: whoever,
      registry: { ...registry, bytes },
    });
    for (const event of first.events) void second.journal.append(event);
    const run = await continueRun(first.events, second.ports, named());
    await run.ask('Go on.');
    expect(whoever.asked).toHaveLength(asked);
  }
});
