import { expect, test } from 'vitest';
import { createSkillSession } from '../../src/agent/create-skill-session.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, named, skillFile } from './agent-world.js';

const { ports } = agentWorld([]);
const backend = memorySkills({});

const wrong: readonly (readonly [what: string, ports: object, message: string, hint: RegExp])[] = [
  ['nothing', {}, 'What was handed in as a registry of skills is none.', /createSkillRegistry/u],
  [
    'a backend in the place of a registry',
    { ...ports, registry: backend },
    'What was handed in as a registry is a SkillBackend.',
    /createSkillRegistry\(backend, \{ sha256 \}\)/u,
  ],
  [
    'no model',
    { ...ports, model: undefined },
    'The port model of the agent has no function “decide”.',
    /ModelAdapter/u,
  ],
  [
    'no journal',
    { ...ports, journal: {} },
    'The port journal of the agent has no function “append”.',
    /openRunFolder/u,
  ],
  ['no clock', { ...ports, clock: null }, 'The port clock of the agent has no function “now”.', /systemClock/u],
  [
    'no sha256',
    { ...ports, sha256: undefined },
    'The port sha256 of the agent is missing or something else.',
    /runs-fs/u,
  ],
  [
    'a runner that is none',
    { ...ports, runner: {} },
    'The port runner of the agent has no function “run”.',
    /tools-shell/u,
  ],
  [
    'an approver that is none',
    { ...ports, approver: true },
    'The port approver of the agent has no function “decide”.',
    /out/u,
  ],
  ['tools by name', { ...ports, tools: ['read'] }, 'The port tools of the agent has no function “run”.', /defineTool/u],
  [
    'a tool that is no list',
    { ...ports, groupedTools: { pdf: {} } },
    'The port groupedTools[“pdf”] of the agent is missing or something else.',
    /list/u,
  ],
];

test.each(wrong)('of %s in the place of ports an error says what to hand in', async (_, given, message, hint) => {
  const error = { code: 'USAGE', message, hint: expect.stringMatching(hint) };
  await expect(startRun(given as never, named())).rejects.toMatchObject(error);
});

test('a run without options, and one without an id, say that it needs one', async () => {
  for (const options of [undefined, {}, { id: 7 }] as never[]) {
    await expect(runAgent('Go.', ports, options)).rejects.toMatchObject({
      code: 'USAGE',
      message: 'A run needs an id.',
    });
  }
});

test('a request that says nothing is refused, and leaves nothing in the record', async () => {
  const world = agentWorld([answer('Done.')], { files: { 'pdf/SKILL.md': skillFile('pdf', 'Forms.') } });
  const run = await startRun(world.ports, named());
  for (const nothing of [undefined, null, 7, '', ' \n', {}, { text: '' }, { text: 7 }] as never[]) {
    await expect(run.ask(nothing)).rejects.toMatchObject({ code: 'USAGE', message: 'The request says nothing.' });
  }
  expect(world.of('request_received')).toEqual([]);
  expect(await run.ask({ text: '', skill: 'pdf' })).toMatchObject({ text: 'Done.' });
});

test('a session over a backend, or over nothing, says what it needs', () => {
  for (const registry of [backend, undefined] as never[]) {
    expect(() => createSkillSession(registry, { sha256 })).toThrow(/handed in as a registry/u);
  }
});
