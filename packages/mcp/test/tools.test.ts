import { createSkillRegistry, memorySkills } from '@skillpack/core';
import { expect, test } from 'vitest';
import { ground, skillText, textOf } from './ground.js';
import { sha256 } from './sha256.js';

const files = {
  'pdf/SKILL.md': skillText(
    'pdf',
    ['argument-hint: a file'],
    '# PDF\n\nRead $ARGUMENTS as references/forms.md says.\n',
  ),
  'pdf/references/forms.md': '# Forms\n\n## Fields\n\nFIELDS\n\n## Other\n\nOTHER\n',
  'keeper/SKILL.md': skillText('keeper', ['disable-model-invocation: true'], 'KEEPER-BODY\n'),
  'quiet/SKILL.md': skillText('quiet', ['user-invocable: false'], 'QUIET-BODY\n'),
};

test('a client without the extension lists, finds and reads skills and their files by tools', async () => {
  const { client } = await ground(files);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['list_skills', 'read_skill', 'read_skill_file', 'search_skills']);
  const call = async (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });
  expect(textOf(await call('list_skills', {}))).toBe('- pdf: What pdf does.\n- quiet: What quiet does.');
  expect(textOf(await call('search_skills', { query: 'pdf' }))).toContain('pdf: What pdf does. (skill://pdf)');
  const body = await call('read_skill', { skill_name: 'pdf' });
  expect(body).toMatchObject({ structuredContent: { skill_name: 'pdf', success: true } });
  expect(textOf(body)).toContain('# PDF');
  const file = await call('read_skill_file', { skill_name: 'pdf', path: 'references/forms.md', section: 'Fields' });
  expect(textOf(file)).toContain('FIELDS');
  expect(textOf(file)).not.toContain('OTHER');
});

test('each call stands for itself: a text is given again to another conversation of the same connection', async () => {
  const { client } = await ground(files);
  for (let time = 0; time < 2; time += 1) {
    const result = await client.callTool({ name: 'read_skill', arguments: { skill_name: 'pdf' } });
    expect([textOf(result).includes('# PDF'), result.structuredContent]).toMatchObject([
      true,
      { already_active: false },
    ]);
  }
});

test('no tool gives a model what it may not call, and a prompt gives it to a person', async () => {
  const { client } = await ground(files);
  const refused = [
    await client.callTool({ name: 'read_skill', arguments: { skill_name: 'keeper' } }),
    await client.callTool({ name: 'read_skill_file', arguments: { skill_name: 'keeper', path: 'SKILL.md' } }),
  ];
  for (const result of refused) {
    expect(result.isError).toBe(true);
    expect(textOf(result)).not.toContain('KEEPER-BODY');
  }
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['keeper', 'pdf']);
  expect(prompts[1]?.arguments).toEqual([{ name: 'arguments', description: 'a file', required: false }]);
  const { messages } = await client.getPrompt({ name: 'keeper' });
  expect(JSON.stringify(messages)).toContain('KEEPER-BODY');
  const called = await client.getPrompt({ name: 'pdf', arguments: { arguments: 'report.pdf' } });
  expect(JSON.stringify(called.messages)).toContain('Read report.pdf as');
  await expect(client.getPrompt({ name: 'quiet' })).rejects.toMatchObject({ code: -32_602 });
});

test('what a prompt says of its argument and itself shows every character, and its argument is short', async () => {
  const { client } = await ground({
    'pdf/SKILL.md': `---\nname: pdf\ndescription: "Reads it."\nargument-hint: "a\\u001B[2J ${'x'.repeat(300)}"\n---\n`,
  });
  const { prompts } = await client.listPrompts();
  const hint = prompts[0]?.arguments?.[0]?.description ?? '';
  expect([prompts[0]?.description, hint.slice(0, 14), hint.length]).toEqual(['Reads it.', 'a<U+001B>[2J x', 200]);
});

test.each([
  ['read_skill', { skill_name: 'nobody' }],
  ['read_skill', {}],
  ['read_skill', { skill_path: '/etc' }],
  ['read_skill_file', { skill_name: 'nobody', path: 'SKILL.md' }],
  ['read_skill_file', { skill_name: 'pdf', path: '../keeper/SKILL.md' }],
  ['read_skill_file', { skill_name: 'pdf', path: '/etc/passwd' }],
  ['read_skill_file', { skill_name: 'pdf', path: 'SKILL.md\0' }],
  ['read_skill_file', { skill_name: 'pdf' }],
  ['search_skills', { query: 1 }],
  ['list_skills', { after: '' }],
] as const)('what goes wrong with %s(%j) is a result that says so', async (name, input) => {
  const { client } = await ground(files);
  const result = await client.callTool({ name, arguments: input });
  expect(result.isError).toBe(true);
  expect(textOf(result)).not.toMatch(/KEEPER-BODY|root:/u);
  expect(textOf(result).length).toBeGreaterThan(10);
});

test('tools that switch skills off are none of a server, and another name is an error of the protocol', async () => {
  const { client } = await ground(files);
  for (const name of ['disable_skill', 'toString', '']) {
    await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  }
});

test('folders are named where the client may know them, as for scripts on the same machine', async () => {
  const registry = createSkillRegistry(memorySkills(files, { location: '/srv/skills' }), { sha256 });
  for (const [showFolders, path] of [
    [true, '/srv/skills/pdf'],
    [false, 'skill://pdf'],
  ] as const) {
    const { client } = await ground(registry, { showFolders });
    const result = await client.callTool({ name: 'read_skill', arguments: { skill_name: 'pdf' } });
    expect(textOf(result)).toContain(`path="${path}"`);
    expect(JSON.stringify(await client.listResources())).not.toContain('/srv');
  }
});

test('where there are no skills there are no tools, and what is switched off is not declared', async () => {
  const { client } = await ground({});
  expect((await client.listTools()).tools).toEqual([]);
  const without = await ground(files, { tools: false, prompts: false });
  expect(without.client.getServerCapabilities()).toEqual({
    resources: { listChanged: true },
    extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
  });
});

test('a long list of skills is read on where it was cut', async () => {
  const many: Record<string, string> = {};
  for (let at = 0; at < 150; at += 1) many[`s${1_000 + at}/SKILL.md`] = skillText(`s${1_000 + at}`);
  const { client } = await ground(many);
  const first = await client.callTool({ name: 'list_skills', arguments: {} });
  expect(first.structuredContent).toMatchObject({ next: 's1099' });
  expect(textOf(first)).toContain('50 more: call list_skills with after: s1099');
  const rest = await client.callTool({ name: 'list_skills', arguments: { after: 's1099' } });
  expect(textOf(rest).split('\n')).toHaveLength(50);
});
