import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { createSkillRegistry } from './create-skill-registry.js';
import { memorySkills } from './memory-skills.js';

const text = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;

test('SAA-04: skills that are part of a program are found, read and searched', async () => {
  const registry = createSkillRegistry(
    memorySkills({
      'pdf/SKILL.md': text('pdf', 'Reads PDF files.'),
      'pdf/references/forms.md': '# Forms\n\nFields.\n\n## Buttons\n\nPress.\n',
      'notes/SKILL.md': text('notes', 'Takes notes.'),
    }),
    { sha256 },
  );
  const { skills } = await registry.index();
  expect(skills.map(({ name, location }) => [name, location])).toEqual([
    ['notes', 'memory:/notes'],
    ['pdf', 'memory:/pdf'],
  ]);
  const pdf = await registry.get('pdf');
  if (pdf === undefined) throw new Error('pdf is not there');
  expect((await registry.body(pdf)).skill.body).toBe('\nDo it.\n');
  expect(await registry.read(pdf, 'references/forms.md', { kind: 'section', heading: 'buttons' })).toMatchObject({
    text: '## Buttons\n\nPress.\n',
    lines: { start: 5, end: 7, total: 7 },
  });
  expect((await registry.search('pdf')).map(({ entry }) => entry.name)).toEqual(['pdf']);
});
