import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { createSkillSession } from '../agent/create-skill-session.js';
import type { SkillSession } from '../agent/skill-session.js';
import { createSkillRegistry } from '../registry/create-skill-registry.js';
import { memorySkills } from '../registry/memory-skills.js';
import { fakeClock } from '../testing/fake-clock.js';
import { createSkillTools, type SkillToolPreset } from './skill-tools.js';
import type { Tool } from './tool.js';
import type { ToolResult } from './tool-result.js';

const forms = '# Forms\n\n## Fields\n\nFill </skill_body> with \u202E care.\n\n## Buttons\n\nPress them.\n';
const body = Array.from({ length: 1_200 }, (_, at) => `## Step ${at}\n\nYou MUST do it.\n`).join('\n');
const head = (name: string, more = ''): string => `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n`;
const files: Readonly<Record<string, string>> = {
  'pdf/SKILL.md': `${head('pdf')}Read \`odd-folder/forms.md\`.\n`,
  'pdf/odd-folder/forms.md': forms,
  'pdf/long.txt': 'A line.\n'.repeat(4_000),
  'pdf/long.md': `# One\n${'A line.\n'.repeat(4_000)}# Two\n`,
  'big/SKILL.md': head('big') + body,
  'deploy/SKILL.md': `${head('deploy', 'disable-model-invocation: true\n')}Ship it.\n`,
  'deploy/where.md': 'To the moon.\n',
};

const presets = [
  ['registry', 'read_skill', 'read_skill_file'],
  ['skill', 'Skill', 'SkillFile'],
  ['use_skill', 'use_skill', 'read_skill_file'],
] as const;

interface World {
  readonly session: SkillSession<Tool>;
  readonly prepare: (messages?: readonly object[]) => Promise<string>;
  readonly call: (tool: string, input: object) => Promise<ToolResult>;
}

function openWorld(preset: SkillToolPreset, contextTokens?: number): World {
  const session = createSkillSession<Tool>(
    createSkillRegistry(memorySkills(files), { sha256 }),
    { sha256 },
    {
      contextTokens,
      readingTools: (own, { skills }) => createSkillTools(own, { clock: fakeClock() }, { preset, skills }),
    },
  );
  return {
    session,
    prepare: async (messages) => (await session.prepare({ system: '', tools: [] as readonly Tool[], messages })).system,
    call: async (name, input) => {
      const tool = (await session.readingTools()).find((one) => one.name === name);
      return tool!.run(input, { id: '1', signal: new AbortController().signal });
    },
  };
}

test('PSA-21, SAA-24: each preset has a tool that reads files of a skill that is active, whole, by heading and from a line on', async () => {
  for (const [preset, loader, reader] of presets) {
    const { call } = openWorld(preset);
    await call(loader, { skill_name: 'pdf' });
    const whole = await call(reader, { skill_name: 'pdf', path: 'odd-folder/forms.md' });
    expect(whole).toMatchObject({
      ok: true,
      contentForUser: 'The file “odd-folder/forms.md” of the skill “pdf” was read.',
      output: {
        skill_name: 'pdf',
        skill_path: 'memory:/pdf',
        path: 'odd-folder/forms.md',
        sha256: sha256(forms),
        truncated: false,
        success: true,
      },
    });
    expect(whole.content).toMatch(
      /^odd-folder\/forms\.md of the skill pdf \(builtin, memory:\/pdf\), lines 1 to 9 of 9;/u,
    );
    // What a file says closes no tag, and nothing of it is invisible.
    expect(whole.content).toContain('```\n# Forms\n\n## Fields\n\nFill &lt;/skill_body> with <U+202E> care.\n');
    const section = await call(reader, { skill_name: 'pdf', path: 'odd-folder/forms.md', section: 'Buttons' });
    expect(section.content).toContain('```\n## Buttons\n\nPress them.\n```');
    expect(section.content).not.toContain('care');
    const byPath = await call(reader, { skill_name: 'big', path: 'memory:/pdf/odd-folder/forms.md', from_line: 9 });
    expect(byPath.content).toContain('lines 9 to 9 of 9');
  }
});

test('PSA-21: a long file is read on from where it was cut, in excerpts that fit a small window', async () => {
  for (const [contextTokens, most] of [
    [undefined, 12_000],
    [4_000, 2_000],
  ] as const) {
    const { call } = openWorld('use_skill', contextTokens);
    await call('use_skill', { skill_name: 'pdf' });
    const input = { skill_name: 'pdf', path: 'long.txt' };
    const first = await call('read_skill_file', input);
    const [, next] = /Go on with from_line (\d+)\.$/u.exec(first.content) ?? [];
    expect(Number(next)).toBe(most / 8 + 1);
    expect(first.output).toMatchObject({ truncated: true, next: { kind: 'lines', start: most / 8 + 1 } });
    const second = await call('read_skill_file', { ...input, from_line: Number(next) });
    expect(second.content).toContain(`lines ${most / 8 + 1} to ${most / 4} of 4000`);
    const outlined = await call('read_skill_file', { skill_name: 'pdf', path: 'long.md' });
    expect(outlined.content).toMatch(/each of which section can name:\n- line 1: # One\n- line 4002: # Two$/u);
  }
});

test('a file of a skill that is not active, not there or not a file of it is a result that says what to do', async () => {
  for (const [preset, loader, reader] of presets) {
    const { call, session } = openWorld(preset);
    const early = await call(reader, { skill_name: 'pdf', path: 'odd-folder/forms.md' });
    expect(early).toMatchObject({ ok: false, error: { code: 'SKILL_NOT_FOUND' } });
    expect(early.content).toBe(`The skill “pdf” is not active. Load it first with \`${loader}\`. No skill is active.`);
    await call(loader, { skill_name: 'pdf' });
    for (const [path, code] of [
      ['../big/SKILL.md', 'PATH_TRAVERSAL_BLOCKED'],
      ['/etc/passwd', 'PATH_TRAVERSAL_BLOCKED'],
      ['memory:/big/SKILL.md', 'FILE_NOT_FOUND'],
      ['odd-folder/form.md', 'FILE_NOT_FOUND'],
    ] as const) {
      const result = await call(reader, { skill_name: 'pdf', path });
      expect(result, path).toMatchObject({ ok: false, error: { code } });
    }
    const input = { skill_name: 'pdf', path: 'odd-folder/forms.md' };
    expect((await call(reader, { ...input, section: 'None' })).error?.code).toBe('SECTION_NOT_FOUND');
    expect((await call(reader, { ...input, from_line: 0 })).error?.code).toBe('INVALID_INPUT');
    await session.view.disable('pdf');
    expect((await call(reader, input)).error?.code).toBe('SKILL_NOT_FOUND');
  }
});

test('the files of a skill that only people may call are read once a person called it', async () => {
  const { call, session } = openWorld('use_skill');
  const input = { skill_name: 'deploy', path: 'where.md' };
  expect((await call('read_skill_file', input)).ok).toBe(false);
  await session.call('deploy', 'Now.');
  expect((await call('read_skill_file', input)).content).toContain('To the moon.');
});

test('AGIO-14: what a model is told names tools that it has: in the catalogue, behind a long body, and where a body was taken out', async () => {
  for (const [preset, loader, reader] of presets) {
    const { call, prepare } = openWorld(preset);
    const system = await prepare();
    expect(system).toContain(`Read a file of a skill, such as one in \`references/\`, with \`${reader}\` when`);
    expect(system).not.toMatch(/load_resource|Scripts are run|select_skills/u);
    const { content } = await call(loader, { skill_name: 'big' });
    const [, line] =
      new RegExp(`call \`${reader}\` for \`SKILL\\.md\` of big with \`from_line\` (\\d+), or`, 'u').exec(content) ?? [];
    const rest = await call(reader, { skill_name: 'big', path: 'SKILL.md', from_line: Number(line) });
    expect(rest.content).toContain(`SKILL.md of the skill big (builtin, memory:/big), lines ${line} to`);
    await call(reader, { skill_name: 'big', path: 'SKILL.md', section: 'Step 1100' });
    await prepare([{ role: 'tool', content }]);
    const later = await prepare([{ role: 'user', content: 'It was left out.' }]);
    expect(later).toContain(
      `Use \`${loader}\` again for its instructions, or \`${reader}\` for a section of its \`SKILL.md\`.`,
    );
    // A section that was asked for stays, as in the agent loop.
    expect(later).toContain('A section you used:\n## Step 1100\n');
    expect(later).not.toContain('Select big');
  }
});

test('a loop without a tool for files is told of paths, and what it can do is not guessed', async () => {
  const session = createSkillSession(createSkillRegistry(memorySkills(files), { sha256 }), { sha256 });
  const { system } = await session.prepare({ system: '', tools: [] });
  expect(system).toContain('3. Where you can read files, read one of a skill');
  expect(system).toContain('4. Where you can run scripts, run them');
  const text = await session.call('big', '');
  expect(text).toMatch(/The rest is in `memory:\/big\/SKILL\.md`, from line \d+ on\.$/u);
  await session.prepare({ system: '', tools: [], messages: [{ role: 'user', content: text }] });
  const later = await session.prepare({ system: '', tools: [], messages: [{ role: 'user', content: 'Left out.' }] });
  expect(later.system).toContain('It is still active. Read its `SKILL.md` again for its instructions.');
});
