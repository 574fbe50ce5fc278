import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run-agent.js';
import { createSkillSession } from '../../src/agent/create-skill-session.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import { fakeClock } from '../../src/testing/fake-clock.js';
import { offerSkillTools } from '../../src/tool/skill-tools.js';
import { agentWorld, answer, named, skillFile } from '../agent/agent-world.js';
import { sha256 } from '../sha256.js';

/** The tools of a session over one skill. */
async function skillTool() {
  const registry = createSkillRegistry(memorySkills({ 'pdf/SKILL.md': skillFile('pdf', 'Fill it in.') }), { sha256 });
  const session = createSkillSession(registry, { sha256 });
  return offerSkillTools(session, { clock: fakeClock() }, { preset: 'skill' });
}

function load(name: string) {
  return { kind: 'call_tool', tool: 'Skill', input: { skill_name: name } } as const;
}

test('AGIO-07: what a tool says to a person is recorded for a screen, and is in no request to the model', async () => {
  const world = agentWorld([load('pdf'), answer('Done.')], { tools: await skillTool() });
  await runAgent('Fill the form.', world.ports, named({ enableSkills: false }));
  expect(world.of('observation_recorded')[0]).toMatchObject({
    ok: true,
    contentForUser: 'The skill “pdf” has been activated.',
  });
  const requests = JSON.stringify(world.model.requests);
  expect(requests).toContain('Fill it in.');
  expect(requests).not.toContain('has been activated');
});

test('AGIO-09, AGIO-10: an unknown skill is an observation that names those there are, and the run goes on to its answer', async () => {
  const world = agentWorld([load('pfd'), load('pdf'), answer('Done.')], { tools: await skillTool() });
  const { stop, text } = await runAgent('Fill the form.', world.ports, named({ enableSkills: false }));
  expect({ stop, text }).toEqual({ stop: 'final_answer', text: 'Done.' });
  expect(world.model.requests[1]?.messages.at(-1)).toMatchObject({
    role: 'observation',
    ok: false,
    content: expect.stringContaining('Available skills: “pdf”.'),
  });
});
