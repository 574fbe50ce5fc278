import { expect, test } from 'vitest';
import { continueRun } from '../../src/agent/continue-run.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { startRun } from '../../src/agent/start-run.js';
import type { Digest } from '../../src/digest/is-digest.js';
import type { AgentAction } from '../../src/model/action.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import type { SkillRegistry } from '../../src/registry/skill-registry.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, named, select, skillFile, type AgentWorld } from './agent-world.js';

/** Skills of an index that was made without their texts, as a remote one is: it does not know what they forbid. */
function unknowing(files: Readonly<Record<string, string>>): SkillRegistry {
  const backend = memorySkills(files);
  return createSkillRegistry(
    {
      ...backend,
      list: async (options) => {
        const { skills, ...rest } = await backend.list(options);
        return {
          ...rest,
          skills: skills.map((entry) => ({ ...entry, head: { ...entry.head, modelInvocable: true } })),
        };
      },
    },
    { sha256 },
  );
}

const keeper = skillFile('keeper', 'KEEPER-BODY', { 'disable-model-invocation': 'true' });
const tides = skillFile('tides', 'TIDES-BODY');
const search: AgentAction = { kind: 'search_skills', query: 'what keeper and tides are for' };

/** Of each request, whether the catalogue names the skill. */
function catalogues({ model }: AgentWorld): readonly boolean[] {
  return model.requests.map(({ system }) => system.includes('What keeper is for.'));
}

async function sound({ events, journal }: AgentWorld): Promise<void> {
  const kept = async (digest: Digest) => journal.kept.get(digest);
  expect(await replayRun({ events, kept }, { sha256 })).toMatchObject({ same: true });
}

test('a skill whose text forbids models, though its index does not, is offered no more once that was found out', async () => {
  const registry = unknowing({ 'keeper/SKILL.md': keeper, 'tides/SKILL.md': tides });
  const replies = [search, select('keeper'), search, select('gone'), select('keeper'), answer('Done.')];
  const world = agentWorld(replies, { registry });
  const run = await startRun(world.ports, named());
  await run.ask('Do it.');
  expect(catalogues(world)).toEqual([true, true, false, false, false, false]);
  const told = world.of('observation_recorded').map(({ content }) => content);
  expect(told.map((content) => content.includes('- keeper'))).toEqual([true, false, false, false, false]);
  expect(told[2]).toContain('- tides');
  expect(told[3]).toContain('Available: “tides”.');
  // Its text still counts, however often it is asked for.
  expect(world.of('observation_recorded').at(-1)?.error?.code).toBe('TOOL_NOT_ALLOWED');
  await run.finish();
  await sound(world);
});

test('a run that goes on, and a later request, know what was found out; a person may call it all the same', async () => {
  const registry = unknowing({ 'keeper/SKILL.md': keeper, 'tides/SKILL.md': tides });
  const world = agentWorld([select('keeper'), answer('One.'), answer('Two.'), answer('Three.')], { registry });
  await (await startRun(world.ports, named())).ask('Do it.');
  const run = await continueRun(world.events, world.ports, named());
  await run.ask('And this.');
  expect(await run.ask({ text: 'With it.', skill: 'keeper' })).toMatchObject({ text: 'Three.' });
  expect(catalogues(world)).toEqual([true, false, false, false]);
  expect(JSON.stringify(world.model.requests.at(-1)?.messages)).toContain('KEEPER-BODY');
  await run.finish();
  await sound(world);
});

test('where no other skill is left, nothing of skills is offered; with another index it is looked at anew', async () => {
  const files: Record<string, string> = { 'keeper/SKILL.md': keeper };
  const world = agentWorld([select('keeper'), answer('One.'), answer('Two.')], { registry: unknowing(files) });
  const run = await startRun(world.ports, named({ autoReload: true }));
  await run.ask('Do it.');
  expect(world.model.requests.map(({ actions }) => actions.includes('select_skills'))).toEqual([true, false]);
  files['tides/SKILL.md'] = tides;
  await run.ask('And this.');
  expect(catalogues(world)).toEqual([true, false, true]);
  await run.finish();
  await sound(world);
});
