import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { createSkillRegistry } from '../registry/create-skill-registry.js';
import { layerRegistries } from '../registry/layer-registries.js';
import { memorySkills } from '../registry/memory-skills.js';
import { createSkillTools } from '../tool/skill-tools.js';
import type { Tool } from '../tool/tool.js';
import { fakeClock } from '../testing/fake-clock.js';
import { createSkillSession } from './create-skill-session.js';

function made(name: string, risk: Tool['risk'] = 'low'): Tool {
  const run: Tool['run'] = async () => ({ ok: true, content: '', output: {}, started: 0, ended: 0, duration: 0 });
  return { name, description: '', inputSchema: {}, risk, run };
}

const skill = '---\nname: pdf\ndescription: PDFs.\nallowed-tools: look\n---\nRead.\n';
const [look, aid, other] = [made('look'), made('aid', 'medium'), made('other')];

async function readingSession(tools: readonly Tool[] = [look, other]) {
  // Of somebody else, so that what its author lists restricts.
  const theirs = createSkillRegistry(memorySkills({ 'pdf/SKILL.md': skill }), { sha256 });
  const registry = layerRegistries([{ registry: theirs, scope: 'other' }], { sha256 });
  const session = createSkillSession<Tool>(
    registry,
    { sha256, groupedTools: { pdf: [aid] } },
    {
      readingTools: (own, { skills }) => createSkillTools(own, { clock: fakeClock() }, { preset: 'registry', skills }),
    },
  );
  await session.prepare({ system: '', tools });
  await session.activate((await session.view.get('pdf'))!, { by: 'model', reason: 'It fits.' });
  return session;
}

const use = (tool: Tool) => ({ ...tool, action: 'call_tool', tool: tool.name, input: {} }) as const;

test('AGIO-15: the tools that read skills are allowed, whatever a skill lists; every other one is judged', async () => {
  const session = await readingSession();
  for (const tool of await session.readingTools()) expect(session.judge(use(tool))).toEqual({ kind: 'allow' });
  expect(session.judge(use(look))).toEqual({ kind: 'allow' });
  expect(session.judge(use(other))).toMatchObject({ kind: 'refuse', by: 'skill' });
});

test('a tool of the loop itself that has the name of one that reads skills is judged', async () => {
  const session = await readingSession([made('read_skill')]);
  expect(session.judge(use(made('read_skill')))).toMatchObject({ kind: 'refuse', by: 'skill' });
});

test('a tool that the program groups with a skill is one that the skill may use, though its author could not list it', async () => {
  const session = await readingSession();
  expect(session.judge(use(aid))).toEqual({ kind: 'ask' });
});

async function sessionWith(text: string, ports: object, allowedTools: 'grant' | 'restrict') {
  const registry = createSkillRegistry(memorySkills({ 'constructor/SKILL.md': text }), { sha256 });
  const session = createSkillSession<Tool>(registry, { sha256, ...ports }, { permissions: { allowedTools } });
  await session.prepare({ system: '', tools: [] });
  await session.activate((await session.view.get('constructor'))!, { by: 'model', reason: 'It fits.' });
  return session;
}

const named = (allowed: string) =>
  `---\nname: constructor\ndescription: Builds.\nallowed-tools: ${allowed}\n---\nBuild.\n`;

test('a tool that the program groups with a skill is none that the skill may grant', async () => {
  const session = await sessionWith(named('look'), { groupedTools: { constructor: [aid] } }, 'grant');
  expect(session.judge(use(aid))).toEqual({ kind: 'ask' });
});

test('a tool that no program groups with a skill is used as the skill lists it', async () => {
  const command = made('run_command', 'medium');
  const session = await sessionWith(
    named('run_command(git:*)'),
    { skillTools: [command], groupedTools: {} },
    'restrict',
  );
  const run = (text: string) => session.judge({ ...use(command), input: { command: text } });
  expect(run('git status')).toEqual({ kind: 'ask' });
  expect(run('rm -rf .')).toMatchObject({ kind: 'refuse', by: 'skill' });
});

test('a script of a skill that is switched off is refused', async () => {
  const session = await sessionWith(named('run_script'), {}, 'grant');
  const { location } = session.activations[0]!;
  const script = { action: 'run_script', tool: 'run_script', risk: 'medium', input: {}, skill: location } as const;
  expect(session.judge(script).kind).not.toBe('refuse');
  await session.view.disable('constructor');
  expect(session.judge(script)).toMatchObject({
    kind: 'refuse',
    by: 'skill',
    message: expect.stringContaining('is active'),
  });
});

test('permissions that are none are refused when the session is made', () => {
  const registry = createSkillRegistry(memorySkills({}), { sha256 });
  const permissions = { configured: { deny: ['send('] } };
  expect(() => createSkillSession(registry, { sha256 }, { permissions })).toThrow('at configured.deny.0');
});
