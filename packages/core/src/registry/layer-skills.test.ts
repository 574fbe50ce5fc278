import { expect, test } from 'vitest';
import { layerSkills, type SkillSource } from './layer-skills.js';
import { selectSkill, type OwnedSkill } from './select-skill.js';

interface Item extends OwnedSkill {
  readonly from: string;
}

function item(name: string, from: string, pack?: string): Item {
  return { name, from, pack };
}

const sources: readonly SkillSource<Item>[] = [
  { scope: 'builtin', skills: [item('pdf', 'builtin'), item('table', 'builtin')] },
  { scope: 'user', skills: [item('pdf', 'user', 'acme/documents'), item('notes', 'user')] },
  { scope: 'project', skills: [item('pdf', 'project', 'other/pdf'), item('pdf', 'project, later')] },
];

test('PSA-02: project wins over user, user over builtin, the earlier over the later; who shadows whom is reported', () => {
  const { skills, conflicts } = layerSkills(sources);
  expect(skills.map(({ name, from }) => `${name} ${from}`)).toEqual(['notes user', 'pdf project', 'table builtin']);
  expect(conflicts).toMatchObject([
    {
      name: 'pdf',
      reason: 'order',
      winner: { from: 'project' },
      shadowed: [{ from: 'project, later' }, { from: 'user' }, { from: 'builtin' }],
    },
  ]);
});

test('PSA-02: a scope that is asked for wins over all others, and only for the names it has', () => {
  const { skills, conflicts } = layerSkills(sources, { source: 'builtin' });
  expect(skills.map(({ name, from }) => `${name} ${from}`)).toEqual(['notes user', 'pdf builtin', 'table builtin']);
  expect(conflicts).toMatchObject([
    {
      reason: 'asked',
      winner: { from: 'builtin' },
      shadowed: [{ from: 'project' }, { from: 'project, later' }, { from: 'user' }],
    },
  ]);
});

test('PSA-02: org/name means a skill that a pack of the organisation brought, even where another shadows it', () => {
  expect(selectSkill(sources, 'pdf')?.from).toBe('project');
  expect(selectSkill(sources, 'acme/pdf')?.from).toBe('user');
  expect(selectSkill(sources, 'other/pdf')?.from).toBe('project');
  expect(selectSkill(sources, 'acm/pdf')).toBeUndefined();
  expect(selectSkill(sources, 'acme/notes')).toBeUndefined();
  expect(selectSkill(sources, 'pdf', { source: 'user' })?.from).toBe('user');
});

test('SAA-05: a skill of the project overrides one of the user, whatever the order they are given in', () => {
  const [builtin, user, project] = sources;
  expect(
    layerSkills([user!, project!, builtin!].map(({ scope, skills }) => ({ scope, skills: skills.slice(0, 1) })))
      .conflicts,
  ).toMatchObject([{ reason: 'scope', winner: { from: 'project' } }]);
});

test('one name in two Unicode forms is one name', () => {
  const { skills } = layerSkills([
    { scope: 'user', skills: [item('caf\u00E9', 'first'), item('cafe\u0301', 'second')] },
  ]);
  expect(skills.map(({ from }) => from)).toEqual(['first']);
});

test('no sources, no skills', () => {
  expect(layerSkills([])).toEqual({ skills: [], conflicts: [] });
});
