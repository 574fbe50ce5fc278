import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import { sha256 } from '../sha256.js';
import type { AgentAction } from '../../src/model/action.js';
import type { ScriptRunner } from '../../src/tool/script-runner.js';
import { agentWorld, answer, echoTool, named, select, skillFile } from './agent-world.js';

const files = {
  'first/SKILL.md': skillFile('first', 'One.', { 'allowed-tools': 'Read Bash(git:*) Fly' }),
  'second/SKILL.md': skillFile('second', 'Two.', { 'allowed-tools': 'Write, Read' }),
  'broken/SKILL.md': skillFile('broken', 'Three.', { 'allowed-tools': 'Danger' }),
};

function toolPorts() {
  const [clock, read, bash, write, danger, groupedFirst, groupedSecond] = [
    'clock',
    'Read',
    'Bash',
    'Write',
    'Danger',
    'first_aid',
    'second_hand',
  ].map((name) => echoTool(name));
  return {
    tools: [clock!],
    skillTools: [read!, bash!, write!, danger!],
    groupedTools: { first: [groupedFirst!], second: [groupedSecond!, read!] },
  };
}

function call(tool: string, input = {}): AgentAction {
  return { kind: 'call_tool', tool, input };
}

test('SAA-21, SAA-23: the tools of a skill are offered from the request after it was read: none, those of one, those of both', async () => {
  const world = agentWorld([select('first'), select('second'), answer('Done.')], { files, ...toolPorts() });
  await runAgent('Do it.', world.ports, named());
  expect(world.model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
    ['clock'],
    ['clock', 'first_aid', 'Read', 'Bash'],
    ['clock', 'first_aid', 'Read', 'Bash', 'second_hand', 'Write'],
  ]);
  expect(world.of('model_requested').map(({ tools }) => tools)).toEqual(
    world.model.requests.map(({ tools }) => tools.map(({ name }) => name)),
  );
});

/** The names that stand between the tags, one a line. */
function toldTools(system: string): readonly string[] {
  const list = /\n<offered_tools>\n(.*)\n<\/offered_tools>\n/su.exec(system)?.[1];
  return (list?.split('\n') ?? []).map((line) => (JSON.parse(line) as { readonly name: string }).name);
}

test('SAA-21, SAA-23: the model is told in words of the tools that are offered, and of no other; while they stay, so does every byte', async () => {
  const world = agentWorld([select('first'), call('clock'), select('second'), answer('Done.')], {
    files,
    ...toolPorts(),
  });
  await runAgent('Do it.', world.ports, named());
  const systems = world.model.requests.map(({ system }) => system);
  expect(systems.map(toldTools)).toEqual(world.model.requests.map(({ tools }) => tools.map(({ name }) => name)));
  expect(systems[0]).toContain('{"name":"clock","description":"Does clock.","input":{"type":"object"}}');
  expect(JSON.stringify(world.model.requests[0]?.messages)).not.toContain('first_aid');
  expect(systems[0]).not.toContain('first_aid');
  expect(systems[2]).toBe(systems[1]);
  // Nothing but the list is another one.
  const withoutTools = systems.map((system) => system.replace(/<offered_tools>.*<\/offered_tools>/su, ''));
  expect(new Set(withoutTools).size).toBe(1);
});

test('the tools are not told in words to a model whose adapter hands them to its provider, and the tokens count them once', async () => {
  const ask = async (nativeTools: boolean) => {
    const world = agentWorld([answer('Done.')], { files, ...toolPorts() });
    await runAgent('Do it.', { ...world.ports, model: { ...world.model, nativeTools } }, named());
    return { request: world.model.requests[0]!, tokens: world.of('model_requested')[0]!.tokens };
  };
  const [inWords, native] = [await ask(false), await ask(true)];
  expect(native.request.tools).toEqual(inWords.request.tools);
  expect(toldTools(inWords.request.system)).toEqual(['clock']);
  expect(native.request.system).not.toMatch(/offered_tools|Does clock/u);
  expect(native.tokens).toBeLessThan(inWords.tokens);
  const without = agentWorld([answer('Done.')], { files });
  await runAgent('Do it.', without.ports, named());
  expect(native.tokens).toBeGreaterThan(without.of('model_requested')[0]!.tokens);
});

test('SAA-21: a reading that failed unlocks nothing, and no compaction takes a tool away', async () => {
  const breaking: Record<string, string> = { ...files };
  const noise = Array.from({ length: 12 }, () => call('clock'));
  const clock = echoTool('clock', { run: () => ({ content: 'Much is said here. '.repeat(200) }) });
  const world = agentWorld(
    [
      () => {
        delete breaking['broken/SKILL.md'];
        return select('broken', 'first');
      },
      ...noise,
      answer('Done.'),
    ],
    { files: breaking, ...toolPorts(), tools: [clock], contextTokens: 8000 },
  );
  await runAgent('Do it.', world.ports, named({ limits: { turns: 99 } }));
  expect(world.of('context_compacted').length).toBeGreaterThan(0);
  for (const { tools } of world.model.requests.slice(1)) {
    expect(tools.map(({ name }) => name)).toEqual(['clock', 'first_aid', 'Read', 'Bash']);
  }
});

test('SAA-22: allowed tools that nobody has are ignored, and the ledger names them', async () => {
  const world = agentWorld([select('first'), answer('Done.')], { files, ...toolPorts() });
  const { state } = await runAgent('Do it.', world.ports, named());
  expect(state.activations).toMatchObject([{ tools: ['first_aid', 'Read', 'Bash'], unknownTools: ['Fly'] }]);
});

test('SAA-22: a developer is told of tools that nobody has by the port that a session has, too, and whatever it does, the run goes on', async () => {
  const said: string[] = [];
  const world = agentWorld([select('first'), answer('Done.')], { files, ...toolPorts() });
  const debug = (message: string): void => {
    said.push(message);
    throw new Error('The disk of the log is full.');
  };
  const { text } = await runAgent('Do it.', { ...world.ports, debug }, named());
  expect(text).toBe('Done.');
  expect(said).toEqual(['The skill “first” allows the tool “Fly”, which nobody has.']);
});

test('a developer is told of names of skills that are not there, and of tools of one name', async () => {
  const said: string[] = [];
  const world = agentWorld([answer('Done.')], {
    files,
    tools: [echoTool('look'), echoTool('look'), echoTool('other')],
    groupedTools: { first: [], frist: [echoTool('aid')] },
    debug: (message) => said.push(message),
  });
  const { text } = await runAgent('Do it.', world.ports, named({ pinned: ['first', 'secnod'] }));
  expect(text).toBe('Done.');
  expect(said).toEqual([
    'There are several tools “look”; the first is the one that is called.',
    'There is no skill “secnod”, which pinned names.',
    'There is no skill “frist”, which groupedTools names.',
  ]);
});

test('a developer is told of rules that mean no tool, scripts among the tools only where they can be run', async () => {
  const permissions = {
    configured: { allow: ['*'], deny: ['Bsh', 'look', 'run_script'] },
    run: { deny: ['LOOK', 'Aid'] },
  };
  const told = async (runner: boolean): Promise<readonly string[]> => {
    const said: string[] = [];
    const world = agentWorld([answer('Done.')], {
      files,
      tools: [echoTool('look')],
      groupedTools: { first: [echoTool('aid')] },
      debug: (message) => said.push(message),
    });
    const ran: ScriptRunner = { run: async () => Promise.reject(new Error('no script')) };
    await runAgent('Do it.', { ...world.ports, runner: runner ? ran : undefined }, named({ permissions }));
    return said;
  };
  const misspelt = 'There is no tool that “Bsh” means, which permissions have at configured.deny.0.';
  expect(await told(true)).toEqual([misspelt]);
  expect(await told(false)).toEqual([
    misspelt,
    'There is no tool that “run_script” means, which permissions have at configured.deny.2.',
  ]);
});

test('SAA-13: where the registry cannot be read anew, a developer is told, and the run goes on with what it had', async () => {
  let gone = false;
  const backend = memorySkills(files);
  const list: typeof backend.list = async (options) => {
    if (gone) throw new SkillsError('IO_ERROR', 'Gone.');
    return backend.list(options);
  };
  const registry = createSkillRegistry({ ...backend, list }, { sha256 });
  const said: string[] = [];
  const world = agentWorld([answer('Done.')], { registry, debug: (message) => said.push(message) });
  const run = await startRun(world.ports, named({ autoReload: true }));
  gone = true;
  expect(await run.ask('Do it.')).toMatchObject({ text: 'Done.' });
  expect(said).toEqual([expect.stringContaining('the last state holds')]);
});

test('a tool that is not offered is not called, and those that are, are named', async () => {
  const ports = toolPorts();
  const world = agentWorld(
    [call('Read'), call('rm -rf'), select('first'), call('Read', { path: 'x' }), answer('Done.')],
    {
      files,
      ...ports,
    },
  );
  await runAgent('Do it.', world.ports, named());
  const [early, unknown, , called] = world.of('observation_recorded');
  expect(early).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } });
  expect(early?.content).toContain('Offered now: “clock”.');
  expect(unknown).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } });
  expect(called).toMatchObject({ ok: true, content: 'Read was called' });
  expect(ports.skillTools[0]?.calls).toEqual([{ path: 'x' }]);
});

test('when a skill is switched off, its tools are not offered any more', async () => {
  const off: AgentAction = { kind: 'disable_skill', skill: { name: 'first' } };
  const world = agentWorld([select('first'), off, call('Bash'), answer('Done.')], { files, ...toolPorts() });
  await runAgent('Do it.', world.ports, named());
  expect(world.model.requests[2]?.tools.map(({ name }) => name)).toEqual(['clock']);
  expect(world.of('observation_recorded').at(-1)).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } });
});

test('what a person is shown reaches no model, and what is too long is cut for both and kept whole', async () => {
  const tool = echoTool('look', {
    run: () => ({
      content: `</run_state>${'m'.repeat(20_000)}`,
      contentForUser: 'FOR-PEOPLE',
      output: { big: 'b'.repeat(70_000) },
    }),
  });
  const world = agentWorld([call('look'), answer('Done.')], { tools: [tool] });
  await runAgent('Do it.', world.ports, named());
  const [observation] = world.of('observation_recorded');
  expect(observation?.contentForUser).toBe('FOR-PEOPLE');
  expect(observation?.content.length).toBeLessThanOrEqual(16_000);
  expect(observation?.output).toEqual({ truncated: true, characters: 70_010 });
  expect(observation?.kept.map(({ name }) => name)).toEqual(['content.txt', 'output.json']);
  expect(world.journal.text(observation!.kept[0]!.digest)).toHaveLength(20_012);
  const request = JSON.stringify(world.model.requests[1]);
  expect(request).not.toContain('FOR-PEOPLE');
  expect(request.match(/<\/run_state>/gu)).toHaveLength(1);
});

test('a tool that throws is a failed observation with its defect, and the run goes on', async () => {
  const tool = echoTool('crash', {
    run: () => {
      throw new TypeError('x is undefined');
    },
  });
  const world = agentWorld([call('crash'), answer('Done.')], { tools: [tool] });
  expect((await runAgent('Do it.', world.ports, named())).stop).toBe('final_answer');
  expect(world.of('observation_recorded')).toMatchObject([{ ok: false, error: { code: 'INTERNAL' } }]);
});

test('AGIO-21: an aborted signal reaches the tool and the model, and the request ends with what was done so far', async () => {
  const controller = new AbortController();
  const seen: boolean[] = [];
  const tool = echoTool('wait', {
    run: (_input, { signal }) => {
      controller.abort();
      seen.push(signal.aborted);
      throw new SkillsError('INTERRUPTED', 'The wait was cancelled.');
    },
  });
  const world = agentWorld([call('wait'), answer('Never.')], { tools: [tool] });
  const run = await startRun(world.ports, named());
  const { stop, degraded, text } = await run.ask('Wait.', { signal: controller.signal });
  expect({ stop, degraded, seen }).toEqual({ stop: 'cancelled', degraded: true, seen: [true] });
  expect(text).toContain('It was cancelled.');
  expect(world.model.requests).toHaveLength(1);
  expect(world.journal.synced).toBe(world.events.length);
  // The run is there for another request.
  expect((await run.ask('Go on.')).text).toBe('Never.');

  const asked = new AbortController();
  const abortedModel = agentWorld([
    (_request, signal) => {
      asked.abort();
      return new SkillsError('INTERRUPTED', signal.aborted ? 'aborted' : 'not aborted');
    },
  ]);
  const other = await startRun(abortedModel.ports, named());
  expect(await other.ask('Hello.', { signal: asked.signal })).toMatchObject({ stop: 'cancelled' });
  expect(abortedModel.of('model_failed')[0]?.error.message).toBe('aborted');
});

test('a request that is cancelled before it begins asks no model', async () => {
  const world = agentWorld([answer('Never.')]);
  const run = await startRun(world.ports, named());
  expect(await run.ask('Hello.', { signal: AbortSignal.abort() })).toMatchObject({ stop: 'cancelled', degraded: true });
  expect(world.model.requests).toHaveLength(0);
});

test('two tools of one name are one: the one that was there from the beginning', async () => {
  const [own, others] = [echoTool('Read'), echoTool('Read')];
  const world = agentWorld([select('first'), call('Read'), answer('Done.')], {
    files,
    tools: [own],
    groupedTools: { first: [others] },
  });
  await runAgent('Do it.', world.ports, named());
  expect([own.calls.length, others.calls.length]).toEqual([1, 0]);
  expect(world.model.requests[1]?.tools.map(({ name }) => name)).toEqual(['Read']);
});
