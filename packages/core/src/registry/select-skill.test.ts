import { expect, test } from 'vitest';
import { selectSkill, type OwnedSkill } from './select-skill.js';

test('within a source, the skill of a pack is meant before one of nobody that has its name', () => {
  const nobodys: OwnedSkill & { at: string } = { name: 'pdf', pack: undefined, at: 'aaa' };
  const owned: OwnedSkill & { at: string } = { name: 'pdf', pack: 'acme/documents', at: 'pdf' };
  expect(selectSkill([{ scope: 'project', skills: [nobodys, owned] }], 'pdf')).toBe(owned);
  expect(
    selectSkill(
      [
        { scope: 'user', skills: [owned] },
        { scope: 'project', skills: [nobodys] },
      ],
      'pdf',
    ),
  ).toBe(nobodys);
});
