import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run-agent.js';
import { createSkillSession } from '../../src/agent/create-skill-session.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { resumeRun } from '../../src/agent/replay/resume-run.js';
import { startRun } from '../../src/agent/start-run.js';
import type { Digest } from '../../src/digest/is-digest.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { filterRegistry } from '../../src/registry/filter-registry.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, named, skillFile } from './agent-world.js';

const memory = memorySkills({ 'pdf/SKILL.md': skillFile('pdf', 'Read it.') });
const templated = (promptTemplate: string) => createSkillRegistry({ ...memory, promptTemplate }, { sha256 });
const usage = expect.toSatisfy((error: unknown) => SkillsError.is(error, 'USAGE'));

test('SAA-19: a template of a registry that has no place for skills counts for nothing, and its index says so', async () => {
  const broken = filterRegistry(templated('Nothing here.'), { sha256 }, { keep: () => true });
  const world = agentWorld([answer('Done.')], { registry: broken });
  expect(await runAgent('Hello.', world.ports, named())).toMatchObject({ text: 'Done.', degraded: false });
  expect(world.model.requests[0]?.system).toMatch(/## Available Skills[\s\S]*What pdf is for/u);
  expect(world.model.requests[0]?.system).not.toContain('Nothing here.');
  expect((await broken.index()).problems).toMatchObject([
    { code: 'ignored', location: 'memory', message: expect.stringContaining('{skills_list}') },
  ]);
  const { system } = await createSkillSession(broken, { sha256 }).prepare({ system: 'You help.', tools: [] });
  expect(system).toContain('What pdf is for');

  const fine = agentWorld([answer('Done.')], { registry: templated('MINE: {skills_list}') });
  await runAgent('Hello.', fine.ports, named());
  expect(fine.model.requests[0]?.system).toContain('MINE: ');
  expect((await fine.ports.registry.index()).problems).toEqual([]);
});

test('SAA-19: a registry of another make with such a template does no harm either, and a developer is told', async () => {
  const registry = { ...templated('MINE: {skills_list}'), promptTemplate: 'Nothing here.' };
  const world = agentWorld([answer('Done.')], { registry });
  expect(await runAgent('Hello.', world.ports, named())).toMatchObject({ text: 'Done.' });
  const said: string[] = [];
  const session = createSkillSession(registry, { sha256, debug: (message) => said.push(message) });
  expect((await session.prepare({ system: 'You help.', tools: [] })).system).toContain('What pdf is for');
  expect(said).toEqual([expect.stringContaining('“memory”')]);
});

test('SAA-19: a template of the caller that has no place for skills fails at once, with nothing in the record', async () => {
  const world = agentWorld([answer('Done.')]);
  await expect(startRun(world.ports, named({ catalogueTemplate: 'Nothing here.' }))).rejects.toEqual(usage);
  expect(world.events).toEqual([]);
  expect(() => createSkillSession(templated('{skills_list}'), { sha256 }, { catalogueTemplate: 'Nothing.' })).toThrow(
    usage,
  );
});

test('H9-03: a run and a session have the plain catalogue by the same option, at the end of the system text, and a replay too', async () => {
  const plain = { catalogueStyle: 'plain', loadInstructions: 'Say `select_skills`.' } as const;
  const end = '## Available Skills\n\nSay `select_skills`.\n\n- pdf: What pdf is for.';
  const registry = createSkillRegistry({ ...memory, loadInstructions: 'The registry’s.' }, { sha256 });
  const world = agentWorld([answer('Done.')], { registry });
  const run = await startRun(world.ports, named(plain));
  await run.ask('Hello.');
  const [asked] = world.model.requests;
  expect(asked?.system.endsWith(`\n\n${end}`)).toBe(true);
  const session = createSkillSession(registry, { sha256 }, plain);
  expect((await session.prepare({ system: 'You help.', tools: [] })).system).toBe(`You help.\n\n${end}`);
  const record = { events: world.events, kept: async (digest: Digest) => world.journal.kept.get(digest) };
  expect(await replayRun(record, { sha256 })).toMatchObject({ same: true });
  const again = agentWorld([answer('Once more.')], { registry, journal: world.journal });
  await (await resumeRun(record, again.ports)).ask('And now?');
  expect(again.model.requests[0]?.system).toBe(asked?.system);
});

test('a style that is none fails at once, in a run and in a session', async () => {
  // Cast: what JavaScript may hand in.
  const catalogueStyle = 'Plain' as 'plain';
  const wrong = { code: 'USAGE', message: 'catalogueStyle is “Plain”; it has to be one of markdown, plain.' };
  const world = agentWorld([answer('Done.')]);
  await expect(startRun(world.ports, named({ catalogueStyle }))).rejects.toMatchObject(wrong);
  expect(() => createSkillSession(templated('{skills_list}'), { sha256 }, { catalogueStyle })).toThrow(
    expect.objectContaining(wrong),
  );
});
