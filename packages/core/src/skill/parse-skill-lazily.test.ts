import { expect, test } from 'vitest';

import { parseSkill, parseSkillHead } from './parse-skill.js';
import { parseSkillHeadLazily, parseSkillLazily } from './parse-skill-lazily.js';

const sources = {
  'what needs no YAML library': '---\nname: pdf\ndescription: Fills in forms.\n---\nDo it.\n',
  'what needs one': '---\n{"name": "pdf", "description": "Fills in \\"forms\\"."}\n---\nDo it.\n',
  'what has to be mended': '---\nname: pdf\ndescription: Use when: forms\n\tare there\n---\nDo it.\n',
  'what is no skill': 'Do it.\n',
  'what is too large': `---\nname: pdf\ndescription: ${'a'.repeat(70_000)}\n---\n`,
};

test.each(Object.entries(sources))('reads %s as it is read at once', async (_, text) => {
  for (const source of [text, new TextEncoder().encode(text)]) {
    for (const profile of ['lenient', 'strict'] as const) {
      const options = { folder: 'pdf', profile };
      expect(await parseSkillLazily(source, options)).toEqual(parseSkill(source, options));
      expect(await parseSkillHeadLazily(source, options)).toEqual(parseSkillHead(source, options));
    }
  }
});
