import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run-agent.js';
import type { ActionSkill, AgentAction } from '../../src/model/action.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { layerRegistries } from '../../src/registry/layer-registries.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, named, skillFile } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

function twoSources() {
  const of = (scope: 'user' | 'project') =>
    memorySkills(
      { 'pdf/SKILL.md': skillFile('pdf', `Of the ${scope}.`), 'pdf/go.mjs': `// ${scope}`, 'pdf/notes.md': scope },
      { scope, location: `${scope}:` },
    );
  const layers = [of('user'), of('project')].map((backend) => ({
    registry: createSkillRegistry(backend, { sha256 }),
    trusted: true,
  }));
  return layerRegistries(layers, { sha256 });
}

function selected(source: ActionSkill['source']): AgentAction {
  return { kind: 'select_skills', skills: [{ name: 'pdf', source }], reason: 'It fits.' };
}

function script(source: ActionSkill['source']): AgentAction {
  return { kind: 'run_script', skill: { name: 'pdf', source }, relative_path: 'go.mjs', args: [] };
}

function load(source: ActionSkill['source']): AgentAction {
  return { kind: 'load_resource', skill: { name: 'pdf', source }, relative_path: 'notes.md' };
}

test('what is asked of the skill of one source is never done with that of another', async () => {
  const runner = echoRunner();
  const whoever = yes('once');
  const world = agentWorld([selected('project'), script('user'), load('user'), script('builtin'), answer('Done.')], {
    registry: twoSources(),
    runner,
    approver: whoever,
  });
  await runAgent('Do it.', world.ports, named());
  const observed = world.of('observation_recorded').slice(1);
  expect(observed.map(({ error }) => error?.code)).toEqual(['SKILL_NOT_FOUND', 'SKILL_NOT_FOUND', 'SKILL_NOT_FOUND']);
  expect(observed[0]?.content).toContain('“pdf” of the source user is not active');
  expect(observed[0]?.content).toContain('Active: “pdf” (project)');
  expect([runner.ran, whoever.asked]).toEqual([[], []]);
});

test('of two active skills of one name, the source says which; without one it is the one that was read last', async () => {
  const runner = echoRunner();
  const sources = ['project', 'user', undefined] as const;
  const world = agentWorld(
    [selected('project'), selected('user'), ...sources.map(script), ...sources.map(load), answer('Done.')],
    { registry: twoSources(), runner, approver: yes('once') },
  );
  await runAgent('Do it.', world.ports, named());
  const expected = ['project:/pdf', 'user:/pdf', 'user:/pdf'];
  expect(runner.ran.map(({ skill }) => skill.location)).toEqual(expected);
  const loaded = world.of('observation_recorded').slice(5);
  expect(loaded.map(({ output }) => output['location'])).toEqual(expected);
});

test('PSA-04: a skill is selected from the source that is named and from no other, and the model is told which one has it', async () => {
  const world = agentWorld([selected('builtin'), answer('Done.')], { registry: twoSources() });
  await runAgent('Do it.', world.ports, named());
  expect(world.of('skill_activated')).toEqual([]);
  const [observed] = world.of('observation_recorded');
  expect(observed).toMatchObject({ ok: false, error: { code: 'SKILL_NOT_FOUND' } });
  expect(observed?.content).toBe('The source builtin has no skill “pdf”. The source project has one.');
});
