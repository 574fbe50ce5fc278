import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { treeDigestOf } from '../digest/tree-digest.js';
import { SkillsError } from '../errors/skills-error.js';
import { createSkillRegistry } from './create-skill-registry.js';
import { measureSkill } from './measure-skill.js';
import { memorySkills } from './memory-skills.js';

const body = '---\nname: pdf\ndescription: Reads PDF.\n---\nText.\n';
const registry = createSkillRegistry(memorySkills({ 'pdf/SKILL.md': body, 'pdf/z.sh': 'z', 'pdf/a/b.md': 'b' }), {
  sha256,
});
const skill = (await registry.get('pdf'))!;
const { signal } = new AbortController();

test('a skill is measured by every file that its registry lists, whatever their order', async () => {
  const measured = await measureSkill(skill, { registry, sha256 }, { signal });
  const files = [
    { path: 'SKILL.md', size: Buffer.byteLength(body), digest: sha256(body), executable: false },
    { path: 'a/b.md', size: 1, digest: sha256('b'), executable: false },
    { path: 'z.sh', size: 1, digest: sha256('z'), executable: false },
  ];
  expect(measured.digest).toBe(treeDigestOf(files.toReversed(), sha256));
  expect(measured.files).toEqual(files);
});

test('what is too much, or is cancelled, is not measured', async () => {
  for (const [options, code] of [
    [{ signal, maxFiles: 3 }, 'FILE_TOO_LARGE'],
    [{ signal, maxBytes: body.length + 1 }, 'FILE_TOO_LARGE'],
    [{ signal: AbortSignal.abort() }, 'INTERRUPTED'],
  ] as const) {
    await expect(measureSkill(skill, { registry, sha256 }, options)).rejects.toSatisfy((error) =>
      SkillsError.is(error, code),
    );
  }
  await expect(
    measureSkill(skill, { registry, sha256 }, { signal, maxFiles: 4, maxBytes: body.length + 2 }),
  ).resolves.toBeDefined();
});
