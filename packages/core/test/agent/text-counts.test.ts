import { expect, test } from 'vitest';
import { continueRun } from '../../src/agent/continue-run.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import { createSkillSession } from '../../src/agent/create-skill-session.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import type { SkillBackend } from '../../src/registry/skill-backend.js';
import type { SkillEntry } from '../../src/registry/skill-entry.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, select, skillFile } from './agent-world.js';

/** Skills of which the list says less than their texts, as those of a remote index. */
function remote(files: Readonly<Record<string, string>>): SkillBackend {
  const memory = memorySkills(files);
  const plain = (entry: SkillEntry): SkillEntry => ({
    ...entry,
    head: { ...entry.head, modelInvocable: true, runMode: 'inline', allowedTools: undefined, frontMatter: {} },
  });
  return { ...memory, list: async (options) => ({ skills: (await memory.list(options)).skills.map(plain) }) };
}

const files = {
  'own/SKILL.md': skillFile('own', 'OWN-BODY', { 'disable-model-invocation': 'true' }),
  'own/note.txt': 'NOTE',
  'survey/SKILL.md': skillFile('survey', 'SURVEY-BODY', { 'run-mode': 'subagent', 'allowed-tools': 'Count' }),
};
const registry = createSkillRegistry(remote(files), { sha256 });

test('a model that selects a skill whose text forbids it is refused, and is shown nothing of it', async () => {
  const world = agentWorld(
    [
      select('own'),
      { kind: 'load_resource', skill: { name: 'own' }, relative_path: 'note.txt' },
      select('own', 'survey'),
      answer('In the child.'),
      answer('Done.'),
    ],
    { registry },
  );
  const { stop, state } = await runAgent('Do it.', world.ports, named());
  expect(stop).toBe('final_answer');
  const [refused, unread, partly] = world.of('observation_recorded').filter(({ run }) => run === 'run');
  expect(refused).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_ALLOWED' } });
  expect(refused?.content).toContain('“survey”');
  expect(refused?.content).not.toContain('Available: “own”');
  expect(unread).toMatchObject({ ok: false, error: { code: 'SKILL_NOT_FOUND' } });
  expect(partly).toMatchObject({ output: { failed: [{ name: 'own', code: 'TOOL_NOT_ALLOWED' }] } });
  expect(JSON.stringify(world.model.requests)).not.toMatch(/OWN-BODY|NOTE/u);
  expect(state.activations.map(({ name }) => name)).toEqual(['survey']);
});

test('a person may call a skill whose text forbids it to models, and the model may then load it again', async () => {
  const world = agentWorld([select('own'), answer('Done.')], { registry });
  const run = await startRun(world.ports, named());
  await run.ask({ text: 'Now.', skill: 'own' });
  expect(JSON.stringify(world.model.requests[0])).toContain('OWN-BODY');
  expect(world.of('observation_recorded')).toMatchObject([{ ok: true }]);
});

test('what a person called stays theirs, however often the model loads it again after it was taken out of the context', async () => {
  const much = echoTool('much', { run: () => ({ content: 'Much is said here. '.repeat(300) }) });
  const noise = Array.from({ length: 8 }, () => ({ kind: 'call_tool', tool: 'much', input: {} }) as const);
  const world = agentWorld([...noise, select('own'), ...noise, select('own'), answer('Done.')], {
    registry,
    tools: [much],
    contextTokens: 8_000,
  });
  const run = await startRun(world.ports, named({ limits: { turns: 99 } }));
  await run.ask({ text: 'Now.', skill: 'own' });
  const loaded = world.of('observation_recorded').filter(({ content }) => content.includes('OWN-BODY'));
  expect(loaded).toMatchObject([
    { id: 'a9', ok: true },
    { id: 'a18', ok: true },
  ]);
  expect(world.of('skill_activated').map(({ activation }) => activation.by)).toEqual(['user', 'model', 'model']);
  expect(run.state.activations).toMatchObject([{ name: 'own', by: 'user', reason: 'The person named it.' }]);
});

test('run-mode and allowed tools are those of the text that was read', async () => {
  const world = agentWorld([select('survey'), answer('Seven.'), answer('Done.')], {
    registry,
    skillTools: [echoTool('Count')],
  });
  const { state } = await runAgent('How many?', world.ports, named());
  expect(state.activations).toMatchObject([{ name: 'survey', runMode: 'subagent', tools: ['Count'] }]);
  expect(world.of('subagent_started')).toHaveLength(1);
  expect(world.model.requests[1]?.tools.map(({ name }) => name)).toEqual(['Count']);
  expect(JSON.stringify(world.model.requests[2])).not.toContain('SURVEY-BODY');
});

test('a run that goes on does not show a text that has come to forbid models', async () => {
  for (const forbidden of [false, true]) {
    const changing: Record<string, string> = { 'late/SKILL.md': skillFile('late', 'You MUST be early.') };
    const own = createSkillRegistry(remote(changing), { sha256 });
    const noise = Array.from({ length: 12 }, () => ({ kind: 'call_tool', tool: 'noise', input: {} }) as const);
    const world = agentWorld([select('late'), ...noise, answer('One.'), select('late'), answer('Two.')], {
      registry: own,
      tools: [echoTool('noise', { run: () => ({ content: 'Much is said here. '.repeat(200) }) })],
      contextTokens: 8000,
    });
    const options = named({ limits: { turns: 99 } });
    const run = await startRun(world.ports, options);
    await run.ask('First.');
    changing['late/SKILL.md'] = skillFile('late', 'You MUST be late.', {
      'disable-model-invocation': String(forbidden),
    });
    const resumed = await continueRun(world.events, world.ports, options);
    expect((await resumed.ask('Second.')).text).toBe('Two.');
    expect(JSON.stringify(world.model.requests).includes('MUST be late')).toBe(!forbidden);
  }
});

test('a session goes by the text, too', async () => {
  const session = createSkillSession(registry, { sha256 });
  const entry = (await session.view.get('own'))!;
  await expect(session.activate(entry, { by: 'model', reason: 'It fits.' })).rejects.toSatisfy((error) =>
    SkillsError.is(error, 'TOOL_NOT_ALLOWED'),
  );
  expect(session.activations).toEqual([]);
  expect(await session.call('own', 'Now.')).toContain('OWN-BODY');
  expect(session.activations).toMatchObject([{ name: 'own', by: 'user' }]);
});
