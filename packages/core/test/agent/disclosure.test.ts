import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run-agent.js';
import type { AgentAction } from '../../src/model/action.js';
import type { ModelRequest } from '../../src/model/model-adapter.js';
import { agentWorld, answer, named, select, skillFile, type Reply } from './agent-world.js';

const skills = ['alpha', 'beta', 'gamma'] as const;
const files = Object.fromEntries(
  skills.flatMap((name) => [
    [`${name}/SKILL.md`, skillFile(name, `BODY-OF-${name}\n\nSee notes.md.`)],
    [`${name}/notes.md`, `# First\nFIRST-OF-${name}\n# Second\nSECOND-OF-${name}\n`],
    [`${name}/scripts/run.mjs`, `// SOURCE-OF-${name}`],
  ]),
);

function read(name: string, section?: string): AgentAction {
  return { kind: 'load_resource', skill: { name }, relative_path: 'notes.md', section_hint: section };
}

function shown(request: ModelRequest | undefined): string {
  return JSON.stringify(request);
}

test('PSA-01: no text and no file of a skill is in the context before the action that asks for it', async () => {
  const world = agentWorld([select('beta'), read('beta', 'Second'), answer('Done.')], { files });
  await runAgent('Do it.', world.ports, named());
  const marks = [/BODY-OF-beta/u, /SECOND-OF-beta/u, /FIRST-OF|OF-alpha|OF-gamma|SOURCE-OF/u];
  expect(world.model.requests.map((request) => marks.map((mark) => mark.test(shown(request))))).toEqual([
    [false, false, false],
    [true, false, false],
    [true, true, false],
  ]);
  expect(world.model.requests[0]?.system).toMatch(/alpha[\s\S]*beta[\s\S]*gamma/u);
});

test('PSA-01: whatever a model does, it never sees what it has not asked for', async () => {
  const actions = fc.array(
    fc.oneof(
      fc.constantFrom(...skills).map((name) => select(name)),
      fc
        .tuple(fc.constantFrom(...skills), fc.constantFrom('First', 'Second', undefined))
        .map(([name, section]) => read(name, section)),
      fc.constantFrom(...skills).map((name): AgentAction => ({ kind: 'disable_skill', skill: { name } })),
      fc.constantFrom(...skills).map((name): AgentAction => ({ kind: 'enable_skill', skill: { name } })),
      fc.constantFrom(...skills).map((name): AgentAction => ({ kind: 'search_skills', query: name })),
      fc.constantFrom('nonsense', '{}'),
    ),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(actions, async (replies: readonly Reply[]) => {
      const world = agentWorld([...replies, answer('Done.')], { files });
      await runAgent('Do it.', world.ports, named({ limits: { consecutiveFailures: 99 } }));
      const allowed = new Set<string>();
      for (const [turn, request] of world.model.requests.entries()) {
        const text = shown(request);
        for (const name of skills) {
          for (const mark of [`BODY-OF-${name}`, `FIRST-OF-${name}`, `SECOND-OF-${name}`]) {
            if (!allowed.has(mark)) expect(text).not.toContain(mark);
          }
        }
        expect(text).not.toContain('SOURCE-OF');
        const reply = replies[turn];
        if (typeof reply !== 'object' || !('kind' in reply)) continue;
        if (reply.kind === 'select_skills') for (const { name } of reply.skills) allowed.add(`BODY-OF-${name}`);
        if (reply.kind !== 'load_resource') continue;
        const sections = reply.section_hint === undefined ? ['First', 'Second'] : [reply.section_hint];
        for (const section of sections) allowed.add(`${section.toUpperCase()}-OF-${reply.skill.name}`);
      }
    }),
    { numRuns: 60 },
  );
});

test('a preloaded skill is read before the first turn, and no other', async () => {
  const world = agentWorld([answer('Done.')], { files });
  const { state } = await runAgent('Do it.', world.ports, named({ preload: ['gamma'] }));
  expect(shown(world.model.requests[0])).toContain('BODY-OF-gamma');
  expect(shown(world.model.requests[0])).not.toMatch(/BODY-OF-(?:alpha|beta)/u);
  expect(state.activations).toMatchObject([{ name: 'gamma', by: 'preload', turn: 0 }]);
});

test('a file of a skill is refused before the skill was selected, and its path cannot leave the skill', async () => {
  const escapes = ['../beta/notes.md', '/etc/passwd', 'memory:/beta/notes.md', 'C:\\notes.md', 'notes.md\0'];
  const world = agentWorld(
    [
      read('alpha'),
      select('alpha'),
      ...escapes.map((relative_path): AgentAction => ({
        kind: 'load_resource',
        skill: { name: 'alpha' },
        relative_path,
      })),
      answer('Done.'),
    ],
    { files },
  );
  await runAgent('Do it.', world.ports, named({ limits: { consecutiveFailures: 99 } }));
  const [early, , ...refused] = world.of('observation_recorded');
  expect(early).toMatchObject({ ok: false, error: { code: 'SKILL_NOT_FOUND' } });
  expect(early?.content).toContain('select_skills');
  expect(refused).toHaveLength(escapes.length);
  for (const observation of refused) expect(observation).toMatchObject({ ok: false });
  expect(world.of('skill_read').some(({ location }) => location !== 'memory:/alpha')).toBe(false);
});

test('a long file is read page by page, and each page says where the next one begins', async () => {
  const lines = Array.from({ length: 900 }, (_, index) => `line ${index + 1} of many, which is not short at all`);
  const world = agentWorld(
    [
      select('long'),
      { kind: 'load_resource', skill: { name: 'long' }, relative_path: 'all.txt' },
      (request) => {
        const next = /from_line (\d+)/u.exec(request.messages.at(-1)?.content ?? '')?.[1];
        return { kind: 'load_resource', skill: { name: 'long' }, relative_path: 'all.txt', from_line: Number(next) };
      },
      answer('Done.'),
    ],
    { files: { 'long/SKILL.md': skillFile('long', 'Read all.txt.'), 'long/all.txt': lines.join('\n') } },
  );
  await runAgent('Read it.', world.ports, named());
  const [, first, second] = world.of('observation_recorded');
  expect(first?.output).toMatchObject({ truncated: true, path: 'all.txt', bytes: lines.join('\n').length });
  const end = Number(/lines 1 to (\d+) of/u.exec(first?.content ?? '')?.[1]);
  expect(second?.output).toMatchObject({ lines: { start: end + 1 } });
  expect(first?.content).not.toContain(`line ${end + 1} of`);
  expect(second?.content).toContain(`line ${end + 1} of`);
  // All of it is in the record.
  expect(world.journal.text(first?.kept[0]?.digest ?? world.events[0]!.hash)).toBe(lines.join('\n'));
});
