import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { createSkillRegistry, memorySkills, parseSkill, SkillsError } from '@skillpack/core';
import { folderSkills } from '@skillpack/registry-fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { oddSkills } from '../../packages/core/test/odd-skills.js';
import { sha256 } from './agent-ground.js';
import { overWire } from './mcp-ground.js';

test('the skills of the distribution come through the wire byte for byte, and the official client verifies them', async () => {
  const root = join(import.meta.dirname, '../../skills-builtin');
  const source = createSkillRegistry(folderSkills([{ path: root, scope: 'builtin' }], performance), { sha256 });
  const { client, registry } = await overWire(source);
  const { skills, problems } = await registry.index();
  expect(problems).toEqual([]);
  expect(skills.map(({ name }) => name)).toEqual(['docs/pdf', 'docs/release-notes', 'docs/skill-author', 'docs/table']);
  let files = 0;
  for (const skill of skills) {
    for (const { path } of await registry.files(skill)) {
      expect(
        Buffer.from(await registry.bytes(skill, path, { maxBytes: 16 * 1024 * 1024 })).equals(
          readFileSync(join(root, skill.head.name, path)),
        ),
      ).toBe(true);
      files += 1;
    }
  }
  expect(files).toBeGreaterThan(10);
  const official = new SkillsClient(client);
  const { skills: entries } = await official.list();
  for (const entry of entries) expect((await official.read(entry)).verified).toBe(true);
  expect(entries).toHaveLength(skills.length);
});

const offered = oddSkills.flatMap(({ title, source, folder = 'pdf' }) => {
  const parse = parseSkill(source, { folder });
  return parse.kind === 'skill' && parse.skill.description !== undefined
    ? [{ title, source, folder, skill: parse.skill }]
    : [];
});

test('every odd SKILL.md that a registry offers to models is one that other clients take, and says the same', async () => {
  expect(offered.length).toBeGreaterThan(100);
  for (const { title, source, folder, skill } of offered) {
    const base = createSkillRegistry(memorySkills({ [`${folder}/SKILL.md`]: source }), { sha256 });
    const { client, registry } = await overWire(base);
    const official = new SkillsClient(client);
    const { skills: entries } = await official.list();
    expect(entries, title).toHaveLength(1);
    for (const entry of entries) expect((await official.read(entry)).frontmatter, title).toEqual(entry.frontmatter);
    const [entry] = (await registry.index()).skills;
    if (entry === undefined) throw new Error(title);
    const { body, description, modelInvocable, license } = (await registry.body(entry)).skill;
    expect({ body, description, modelInvocable, license }, title).toEqual({
      body: skill.body,
      description: skill.description,
      modelInvocable: skill.modelInvocable,
      license: skill.license,
    });
  }
});

test('a skill that is written to a folder while it is served is seen at the other end, and so is a changed file', async () => {
  const root = mkdtempSync(join(tmpdir(), 'skillpack-mcp-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (name: string, file: string, text: string): void => {
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, file), text);
  };
  write('tides', 'SKILL.md', '---\nname: tides\ndescription: When low tide is.\n---\n');
  write('tides', 'june.txt', 'low at noon');
  const source = createSkillRegistry(folderSkills([{ path: root, scope: 'user' }], performance), { sha256 });
  const { registry } = await overWire(source, { watch: true });
  const tides = (await registry.index()).skills[0];
  if (tides === undefined) throw new Error('There are no tides.');
  const added: string[] = [];
  const subscription = await registry.subscribe((change) => void added.push(...change.added));
  write('birds', 'SKILL.md', '---\nname: birds\ndescription: Which birds there are.\n---\n');
  await vi.waitFor(() => expect(added).toEqual(['docs/birds']), { timeout: 20_000 });
  await subscription[Symbol.asyncDispose]();
  write('tides', 'june.txt', 'low at five');
  await expect(registry.bytes(tides, 'june.txt')).rejects.toSatisfy((error) => SkillsError.is(error, 'REGISTRY_ERROR'));
  await registry.reload();
  expect(new TextDecoder().decode(await registry.bytes(tides, 'june.txt'))).toBe('low at five');
});
