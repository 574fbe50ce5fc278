import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { SkillsClient, SkillVerificationError } from '@modelcontextprotocol/client/ext/skills';
import { createSkillRegistry, memorySkills, prefixRegistry, SkillsError } from '@skillpack/core';
import { contractSkillFiles, fakeClock } from '@skillpack/core/testing';
import { expect, test, vi } from 'vitest';
import { createSkillsServer } from '../src/server/create-skills-server.js';
import { ground, present, skillText, type Files } from './ground.js';
import { sha256 } from './sha256.js';

const bytesOf = (content: string | Uint8Array | undefined): number[] => [
  ...(typeof content === 'string' ? new TextEncoder().encode(content) : (content ?? [])),
];

test('SAA-28: the official client lists the skills of a registry, and reads each file byte for byte against its digest', async () => {
  const { client } = await ground(contractSkillFiles);
  const skills = new SkillsClient(client);
  const { skills: entries } = await skills.list();
  expect(entries.map(({ uri }) => uri)).toEqual([
    'skill://cafe/SKILL.md',
    'skill://pdf/SKILL.md',
    'skill://table/SKILL.md',
  ]);
  for (const name of ['pdf', 'table']) {
    const entry = present(entries.find(({ frontmatter }) => frontmatter.name === name));
    const paths = Object.keys(contractSkillFiles).filter((path) => path.startsWith(`${name}/`));
    expect(entry.resources).toHaveLength(paths.length);
    for (const path of paths) {
      const file = await skills.read(entry, path.slice(name.length + 1));
      expect([file.verified, [...file.bytes]]).toEqual([true, bytesOf(contractSkillFiles[path])]);
    }
  }
});

test('a skill that the specification does not allow is served with its front matter written anew, which is told', async () => {
  const files = {
    'caf\u00E9/SKILL.md':
      '---\nname: caf\u00E9\ndescription: Use when: asked for coffee\nversion: 1.10\nmetadata: { rank: 3 }\n---\n\r\n# Coffee \u2615\r\n',
  };
  const { client, problems } = await ground(files);
  const skills = new SkillsClient(client);
  const entry = present((await skills.list()).skills[0]);
  expect(entry.frontmatter).toMatchObject({
    name: 'cafe',
    description: 'Use when: asked for coffee',
    metadata: { rank: '3' },
  });
  const file = await skills.read(entry);
  expect(file.text?.endsWith('---\n\r\n# Coffee \u2615\r\n')).toBe(true);
  const odd = await ground({ 'x/SKILL.md': '---\nname: "\u202Ex"\ndescription: Odd.\n---\n' });
  await new SkillsClient(odd.client).list();
  expect(odd.problems.map(({ message }) => message)).toEqual([expect.stringContaining('<U+202E>')]);
  expect(problems).toMatchObject([{ location: 'skill://cafe', message: expect.stringContaining('written anew') }]);
});

test('a name with a namespace becomes a path that ends with the name of the skill', async () => {
  const registry = createSkillRegistry(memorySkills({ 'pdf/SKILL.md': skillText('pdf') }), { sha256 });
  for (const [prefix, uri] of [
    ['acme/', 'skill://acme/pdf/SKILL.md'],
    ['acme-', 'skill://acme-pdf/pdf/SKILL.md'],
  ] as const) {
    const { client } = await ground(prefixRegistry(registry, { sha256 }, { prefix }));
    const { skills } = await new SkillsClient(client).list();
    expect(skills.map((skill) => skill.uri)).toEqual([uri]);
  }
});

test('PSA-22: no address leads out of a skill: only what was listed is read', async () => {
  const { client } = await ground({
    'pdf/SKILL.md': skillText('pdf'),
    'pdf/a b/\u00FC&.md': 'odd\n',
    'table/SKILL.md': skillText('table'),
    'table/secret.txt': 'secret\n',
  });
  const read = async (uri: string): Promise<unknown> =>
    client.readResource({ uri }).then(
      ({ contents }) => contents,
      (error: unknown) => (error as { readonly code: unknown }).code,
    );
  expect(await read('skill://pdf/a%20b/%C3%BC%26.md')).toMatchObject([{ text: 'odd\n' }]);
  for (const uri of [
    'skill://pdf/../table/secret.txt',
    'skill://pdf/%2e%2e/table/secret.txt',
    'skill://pdf/%2E%2E%2Ftable%2Fsecret.txt',
    'skill://pdf/..%5ctable%5csecret.txt',
    'skill://pdf/%252e%252e/table/secret.txt',
    'skill:///etc/passwd',
    'skill://pdf//etc/passwd',
    'skill://pdf/%00',
    'skill://pdf/SKILL.md%00.png',
    'skill://pdf/skill.md',
    'skill://PDF/SKILL.md',
    'skill://pdf/SKILL.md?x',
    'skill://pdf/SKILL.md#x/secret.txt',
    'skill://pdf/',
    'skill://pdf',
    'skill://',
    'file:///etc/passwd',
    `skill://pdf/${'a/'.repeat(5_000)}x`,
  ]) {
    expect([uri.slice(0, 60), await read(uri)]).toEqual([uri.slice(0, 60), -32_602]);
  }
});

test('a folder of a skill is listed, and nothing that is none', async () => {
  const { client } = await ground({ 'pdf/SKILL.md': skillText('pdf'), 'pdf/a/b/c.md': 'c', 'pdf/a/d.png': 'd' });
  const skills = new SkillsClient(client);
  const names = async (uri: string): Promise<unknown> =>
    skills.readDirectory(uri).then(
      ({ resources }) => resources.map(({ name, mimeType }) => `${name} ${mimeType}`),
      (error: unknown) => (error as { readonly code: unknown }).code,
    );
  expect(await names('skill://pdf')).toEqual(['SKILL.md text/markdown', 'a inode/directory']);
  expect(await names('skill://pdf/a')).toEqual(['b inode/directory', 'd.png image/png']);
  for (const uri of ['skill://pdf/SKILL.md', 'skill://pdf/b', 'skill://table', 'skill://pdf/a/..%2f..', 'skill://']) {
    expect([uri, await names(uri)]).toEqual([uri, -32_602]);
  }
});

test('what exceeds the limits of the extension is left out of it with a reason, and tools offer it all the same', async () => {
  const many: Files = { 'many/SKILL.md': skillText('many') };
  for (let at = 0; at < 512; at += 1) many[`many/${at}.txt`] = String(at);
  const { client, problems } = await ground({
    ...many,
    'large/SKILL.md': skillText('large'),
    'large/a.bin': new Uint8Array(9 * 1024 * 1024),
    'large/b.bin': new Uint8Array(8 * 1024 * 1024),
    'full/SKILL.md': skillText('full'),
    'full/a.bin': new Uint8Array(16 * 1024 * 1024 - skillText('full').length),
  });
  const { skills } = await new SkillsClient(client).list();
  expect(skills.map(({ frontmatter }) => frontmatter.name)).toEqual(['full']);
  // Told once, however often it is asked for.
  await new SkillsClient(client).list();
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('17825851 bytes; at most 16777216'),
    expect.stringContaining('513 files'),
  ]);
  const result = await client.callTool({ name: 'read_skill', arguments: { skill_name: 'large' } });
  expect(JSON.stringify(result)).toContain('# large');
});

test('a file that is not the one that was told of is not served; skills/get tells what it is now', async () => {
  const files: Files = { 'pdf/SKILL.md': skillText('pdf'), 'pdf/a.txt': 'one' };
  const { client } = await ground(files);
  const skills = new SkillsClient(client);
  const entry = present((await skills.list()).skills[0]);
  files['pdf/a.txt'] = 'two';
  await expect(skills.read(entry, 'a.txt')).rejects.toThrow('has changed since it was listed');
  await expect(skills.read(entry, 'a.txt')).rejects.toBeInstanceOf(SkillVerificationError);
  const { skill } = await skills.get('skill://pdf/SKILL.md');
  expect((await skills.read(skill, 'a.txt')).text).toBe('two');
  files['pdf/a.txt'] = 'six';
  const { skill: newer } = await skills.get('skill://pdf/SKILL.md');
  expect((await skills.read(newer, 'a.txt')).text).toBe('six');
  files['pdf/b.txt'] = 'new';
  expect((await skills.list()).skills[0]?.resources).toHaveLength(3);
});

test('however many ask for one skill at once, its files are read for those who wait and for those who come meanwhile', async () => {
  const files: Files = { 'pdf/SKILL.md': skillText('pdf'), 'pdf/a.txt': 'one' };
  const backend = memorySkills(files);
  let reads = 0;
  let meanwhile: (() => void) | undefined;
  const registry = createSkillRegistry(
    {
      ...backend,
      bytes: async (skill, path, options) => {
        reads += 1;
        const bytes = await backend.bytes(skill, path, options);
        if (path === 'a.txt') meanwhile?.();
        return bytes;
      },
    },
    { sha256 },
  );
  const { client } = await ground(registry);
  const skills = new SkillsClient(client);
  const ask = async () => (await skills.get('skill://pdf/SKILL.md')).skill.resources;
  const late: ReturnType<typeof ask>[] = [];
  meanwhile = () => {
    meanwhile = undefined;
    files['pdf/a.txt'] = 'two';
    for (let time = 0; time < 50; time += 1) late.push(ask());
  };
  const early = await Promise.all(Array.from({ length: 50 }, ask));
  const digests = (await Promise.all(late)).map((resources) => JSON.stringify(resources).includes(sha256('two')));
  expect([early.length, digests.length, digests.every(Boolean)]).toEqual([50, 50, true]);
  expect(reads).toBeLessThanOrEqual(8);
});

test('clients are told when the registry has changed, and see what it offers then', async () => {
  const files: Files = { 'pdf/SKILL.md': skillText('pdf') };
  const { client, registry } = await ground(files);
  const skills = new SkillsClient(client);
  expect((await skills.list()).skills).toHaveLength(1);
  const told: string[] = [];
  for (const kind of ['resources', 'tools', 'prompts'] as const) {
    client.setNotificationHandler(`notifications/${kind}/list_changed`, () => void told.push(kind));
  }
  files['table/SKILL.md'] = skillText('table');
  await registry.reload();
  await vi.waitFor(() => expect(told.toSorted()).toEqual(['prompts', 'resources', 'tools']));
  expect((await skills.list()).skills).toHaveLength(2);
});

test('more skills than fit a page are told by pages, each once', async () => {
  const files: Files = {};
  for (let at = 0; at < 230; at += 1) files[`skill-${at}/SKILL.md`] = skillText(`skill-${at}`);
  const { client } = await ground(files);
  const { skills } = await new SkillsClient(client).list();
  expect(new Set(skills.map(({ uri }) => uri)).size).toBe(230);
  expect((await client.listPrompts()).prompts).toHaveLength(230);
  await expect(client.request({ method: 'prompts/list', params: { cursor: 'x' } })).rejects.toThrow('no page');
});

test('what a policy does not allow is in no list, no tool and no prompt, and cannot be read', async () => {
  const { client } = await ground(
    { 'pdf/SKILL.md': skillText('pdf'), 'pdf/.env': 'KEY=1', 'pdf/a.md': 'a', 'keys/SKILL.md': skillText('keys') },
    { allows: ({ name }, path) => name !== 'keys' && !path.endsWith('.env') },
  );
  const skills = new SkillsClient(client);
  const { skills: entries } = await skills.list();
  expect(entries.flatMap(({ resources }) => (resources === 'dynamic' ? [] : resources.map(({ uri }) => uri)))).toEqual([
    'skill://pdf/SKILL.md',
    'skill://pdf/a.md',
  ]);
  await expect(client.readResource({ uri: 'skill://pdf/.env' })).rejects.toMatchObject({ code: -32_602 });
  await expect(skills.get('skill://keys/SKILL.md')).rejects.toMatchObject({ code: -32_602 });
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['pdf']);
  const all = [
    await client.callTool({ name: 'list_skills', arguments: {} }),
    await client.callTool({ name: 'search_skills', arguments: { query: 'keys' } }),
    await client.callTool({ name: 'read_skill', arguments: { skill_name: 'keys' } }),
    await client.callTool({ name: 'read_skill_file', arguments: { skill_name: 'pdf', path: '.env' } }),
  ];
  expect(JSON.stringify(all)).not.toMatch(/KEY=1|What keys does/u);
  expect(all.map(({ isError }) => isError === true)).toEqual([false, false, true, true]);
});

test('a file that is not allowed is had under no other way to write its name, and its name is told to nobody', async () => {
  const files: Files = { 'pdf/SKILL.md': skillText('pdf'), 'pdf/caf\u00E9.txt': 'KEY=1', 'pdf/a.md': 'a' };
  const backend = memorySkills(files);
  const folding = createSkillRegistry(
    {
      ...backend,
      // As a disk that does not tell the case of names apart.
      bytes: async (skill, path, options) =>
        backend.bytes(skill, path.normalize('NFC').toLowerCase().replace('skill.md', 'SKILL.md'), options),
    },
    { sha256 },
  );
  const { client } = await ground(folding, { allows: (_, path) => path !== 'caf\u00E9.txt' });
  for (const path of ['caf\u00E9.txt', 'cafe\u0301.txt', 'CAF\u00C9.TXT', './Caf\u00E9.txt']) {
    const result = await client.callTool({ name: 'read_skill_file', arguments: { skill_name: 'pdf', path } });
    expect([path, result.isError, JSON.stringify(result).includes('KEY=1')]).toEqual([path, true, false]);
    expect(JSON.stringify(result)).not.toContain('There is “caf');
  }
  const a = await client.callTool({ name: 'read_skill_file', arguments: { skill_name: 'pdf', path: './a.md' } });
  expect(a.isError).toBeUndefined();
  files['pdf/b.md'] = 'b';
  const b = await client.callTool({ name: 'read_skill_file', arguments: { skill_name: 'pdf', path: 'b.md' } });
  expect(b.isError).toBeUndefined();
});

test('a skill keeps the address of its name when another one comes whose name is made the same', async () => {
  const files: Files = { 'pdf/SKILL.md': skillText('pdf', [], 'OWN\n') };
  const { client, registry } = await ground(files);
  for (const name of ['PDF', 'Pdf', '\u00FEdf']) files[`${name}/SKILL.md`] = skillText(name, [], 'OTHER\n');
  await registry.reload();
  const skills = new SkillsClient(client);
  const { skills: entries } = await skills.list();
  expect(entries).toHaveLength(4);
  const { skill } = await skills.get('skill://pdf/SKILL.md');
  expect((await skills.read(skill)).text).toContain('OWN');
});

test('a skill that cannot be read keeps no other from being listed, and no client learns in which folder it lies', async () => {
  const backend = memorySkills(
    { 'good/SKILL.md': skillText('good'), 'bad/SKILL.md': skillText('bad') },
    { location: '/home/somebody/skills' },
  );
  const registry = createSkillRegistry(
    {
      ...backend,
      files: async (skill, options) => {
        if (skill.name === 'bad') throw new Error('EACCES: /home/somebody/skills/bad');
        return backend.files(skill, options);
      },
    },
    { sha256 },
  );
  const { client, problems } = await ground(registry);
  const skills = new SkillsClient(client);
  const answers = [
    await skills.list(),
    await client.listResources(),
    await client.listTools(),
    await client.callTool({ name: 'read_skill', arguments: { skill_name: 'good' } }),
    await client.callTool({ name: 'read_skill', arguments: { skill_name: 'bad' } }),
    await client.callTool({ name: 'search_skills', arguments: { query: 'good' } }),
    await skills.get('skill://bad/SKILL.md').catch(String),
  ];
  expect(answers[0]).toMatchObject({ skills: [{ uri: 'skill://good/SKILL.md' }] });
  expect(JSON.stringify(answers)).not.toContain('somebody');
  expect(JSON.stringify(problems)).toContain('EACCES: /home/somebody/skills/bad');
});

test('a skill.md is served as the SKILL.md that clients ask for', async () => {
  const backend = memorySkills({ 'pdf/SKILL.md': skillText('pdf'), 'pdf/a.md': 'a' });
  const own = (path: string): string => (path === 'SKILL.md' ? 'skill.md' : path);
  const registry = createSkillRegistry(
    {
      ...backend,
      files: async (skill, options) =>
        (await backend.files(skill, options)).map((file) => ({ ...file, path: own(file.path) })),
      bytes: async (skill, path, options) => {
        if (path === 'SKILL.md') throw new SkillsError('FILE_NOT_FOUND', 'There is none.');
        return backend.bytes(skill, path === 'skill.md' ? 'SKILL.md' : path, options);
      },
    },
    { sha256 },
  );
  const { client } = await ground(registry);
  const skills = new SkillsClient(client);
  const entry = present((await skills.list()).skills[0]);
  expect((await skills.read(entry)).text).toBe(skillText('pdf'));
});

test('a file that cannot be read is not served, which is told, and the rest of its skill is', async () => {
  let readable = false;
  const backend = memorySkills({ 'pdf/SKILL.md': skillText('pdf'), 'pdf/a.md': 'a', 'pdf/b.md': 'b' });
  const registry = createSkillRegistry(
    {
      ...backend,
      bytes: async (skill, path, options) => {
        if (path === 'a.md' && !readable) throw new Error('EIO: /srv/skills/pdf/a.md');
        return backend.bytes(skill, path, options);
      },
    },
    { sha256 },
  );
  for (const showFolders of [true, false]) {
    readable = false;
    const { client, problems } = await ground(registry, { showFolders });
    const skills = new SkillsClient(client);
    const [entry] = (await skills.list()).skills;
    expect(entry?.resources).toMatchObject([{ uri: 'skill://pdf/SKILL.md' }, { uri: 'skill://pdf/b.md' }]);
    expect(problems[0]?.message).toContain('EIO');
    readable = true;
    expect((await skills.list()).skills[0]?.resources).toHaveLength(3);
  }
});

test('a registry that cannot be read at all is an error that says no folder, and works once it can', async () => {
  let readable = false;
  const backend = memorySkills({ 'pdf/SKILL.md': skillText('pdf') });
  const registry = createSkillRegistry(
    {
      ...backend,
      list: async (options) => {
        if (!readable) throw new Error('EACCES: /srv/skills');
        return backend.list(options);
      },
    },
    { sha256 },
  );
  const problems: string[] = [];
  const ports = { sha256, clock: fakeClock() };
  const server = createSkillsServer(registry, ports, { onProblem: ({ message }) => problems.push(message) });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await expect(server.connect(far)).rejects.toThrow('EACCES');
  await server.createServer().connect(far);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(near);
  const skills = new SkillsClient(client);
  const answers = await Promise.allSettled([skills.list(), client.listTools(), client.listPrompts()]);
  for (const answer of answers) {
    expect(answer.status === 'rejected' && String(answer.reason)).toContain(
      'REGISTRY_ERROR: The skills cannot be read.',
    );
  }
  expect(problems[0]).toContain('EACCES: /srv/skills');
  readable = true;
  await server.listen();
  await registry.reload();
  expect((await skills.list()).skills).toHaveLength(1);
  await server[Symbol.asyncDispose]();
});
