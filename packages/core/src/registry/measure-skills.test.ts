import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { SkillsError } from '../errors/skills-error.js';
import { createSkillRegistry } from './create-skill-registry.js';
import { measureSkill } from './measure-skill.js';
import { measureSkills } from './measure-skills.js';
import { memorySkills } from './memory-skills.js';

const headOf = (name: string): string => `---\nname: ${name}\ndescription: About ${name}.\n---\nText.\n`;
const open = (files: Readonly<Record<string, string>>) => createSkillRegistry(memorySkills(files), { sha256 });
const files = { 'pdf/SKILL.md': headOf('pdf'), 'pdf/a.md': 'a', 'table/SKILL.md': headOf('table') };

test('all skills of a registry are measured, each by all of its files', async () => {
  const registry = open(files);
  const measured = await measureSkills(registry, { sha256 });
  const { skills } = await registry.index();
  for (const skill of skills) {
    expect(measured[skill.name]).toBe((await measureSkill(skill, { registry, sha256 })).digest);
  }
  expect(Object.keys(measured)).toEqual(['pdf', 'table']);

  const changed = await measureSkills(open({ ...files, 'pdf/a.md': 'b' }), { sha256 });
  expect(changed['pdf']).not.toBe(measured['pdf']);
  expect(changed['table']).toBe(measured['table']);
});

test('what is too much is told, and whoever cancels ends it', async () => {
  const registry = open(files);
  for (const [options, code] of [
    [{ maxFiles: 2 }, 'FILE_TOO_LARGE'],
    [{ signal: AbortSignal.abort() }, 'INTERRUPTED'],
  ] as const) {
    await expect(measureSkills(registry, { sha256 }, options)).rejects.toSatisfy((error) =>
      SkillsError.is(error, code),
    );
  }
});
