import { expect, test } from 'vitest';

import { memorySkills } from './memory-skills.js';

const simple = '---\nname: notes\ndescription: Takes notes.\n---\n';
// An anchor: nothing but a YAML library reads it.
const other = '---\nname: pdf\ndescription: &d Fills in forms.\ncompatibility: *d\n---\n';

test('lists skills whose front matter needs a YAML library beside those whose does not, in their order', async () => {
  const { skills, problems } = await memorySkills({ 'pdf/SKILL.md': other, 'notes/SKILL.md': simple }).list({});
  expect(skills.map(({ name, head }) => [name, head.compatibility])).toEqual([
    ['notes', undefined],
    ['pdf', 'Fills in forms.'],
  ]);
  expect(problems).toEqual([]);
});

test('lists the record as it was when it was asked, though it waits for the YAML library', async () => {
  const bytes = new TextEncoder().encode(other);
  const files: Record<string, string | Uint8Array> = { 'notes/SKILL.md': simple, 'pdf/SKILL.md': bytes };
  const listed = memorySkills(files).list({});
  files['late/SKILL.md'] = simple.replace('notes', 'late');
  delete files['notes/SKILL.md'];
  bytes.fill(0x20);
  const { skills, problems } = await listed;
  expect(skills.map(({ name }) => name)).toEqual(['notes', 'pdf']);
  expect(problems).toEqual([]);
});
