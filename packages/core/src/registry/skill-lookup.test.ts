import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { createSkillRegistry } from './create-skill-registry.js';
import { memorySkills } from './memory-skills.js';
import type { SkillRegistry } from './skill-registry.js';

const [composed, decomposed] = ['caf\u00E9', 'cafe\u0301'];

function registryOf(folders: Readonly<Record<string, string>>): SkillRegistry {
  const files = Object.entries(folders).map(([folder, name]): [string, string] => [
    `${folder}/SKILL.md`,
    `---\nname: ${name}\ndescription: x\n---\nBody of ${name}.\n`,
  ]);
  return createSkillRegistry(memorySkills(Object.fromEntries(files)), { sha256 });
}

test('two folders that differ only in Unicode form are two skills, and each has its own body', async () => {
  const registry = registryOf({ [composed]: 'one', [decomposed]: 'two' });
  const { skills } = await registry.index();
  const bodies = skills.map(async (entry) => [entry.name, (await registry.body(entry)).skill.body]);
  expect(await Promise.all(bodies)).toEqual([
    ['one', 'Body of one.\n'],
    ['two', 'Body of two.\n'],
  ]);
  expect(await registry.getByPath(`memory:/${composed}`)).toMatchObject({ name: 'one' });
  expect(await registry.getByPath(`memory:/${decomposed}/SKILL.md`)).toMatchObject({ name: 'two' });
});

test('a skill that is gone is not taken for one whose folder is the same in another Unicode form', async () => {
  const [one] = (await registryOf({ [composed]: 'one' }).index()).skills;
  const body = registryOf({ [decomposed]: 'two' }).body(one!);
  await expect(body).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' });
});

test('a place is found in another Unicode form, with slashes behind it, and by its SKILL.md in any case', async () => {
  const registry = registryOf({ [decomposed]: 'two' });
  for (const place of [
    composed,
    `${composed}//`,
    `${composed}/SKILL.md`,
    `${composed}/skill.md`,
    `${decomposed}/Skill.MD`,
  ]) {
    expect(await registry.getByPath(`memory:/${place}`), place).toMatchObject({ name: 'two' });
  }
  expect(await registry.getByPath(`memory:/${composed}/other.md`)).toBeUndefined();
});

test('a place whose form several skills have is none of them, unless it is written as one of them is', async () => {
  const registry = registryOf({ [`${composed}-${decomposed}`]: 'one', [`${decomposed}-${composed}`]: 'two' });
  expect(await registry.getByPath(`memory:/${composed}-${composed}`)).toBeUndefined();
  expect(await registry.getByPath(`memory:/${decomposed}-${composed}`)).toMatchObject({ name: 'two' });
});
