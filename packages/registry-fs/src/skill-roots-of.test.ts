import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { skillRootsOf, type SkillRootsOfOptions } from './skill-roots-of.js';

const cwd = resolve('/work/project');
const home = resolve('/home/ada');

function rootsOf(options: SkillRootsOfOptions = {}, env: Readonly<Record<string, string>> = {}): readonly string[] {
  return skillRootsOf({ cwd, home, env }, options).map(
    ({ path, scope, named }) => `${scope} ${path}${named === true ? ' named' : ''}`,
  );
}

test('AGIO-12: the project’s and the person’s skills, and what SKILLS_DIRS lists between them', () => {
  expect(rootsOf()).toEqual([`project ${join(cwd, '.agents', 'skills')}`, `user ${join(home, '.agents', 'skills')}`]);
  expect(rootsOf({}, { SKILLS_DIRS: ' ~/team, more ,, ~ada' })).toEqual([
    `project ${join(cwd, '.agents', 'skills')}`,
    `other ${join(home, 'team')} named`,
    `other ${join(cwd, 'more')} named`,
    `other ${join(cwd, '~ada')} named`,
    `user ${join(home, '.agents', 'skills')}`,
  ]);
  expect(rootsOf({}, { SKILLS_DIRS: ' ', SKILLS_HOME: '~/mine' })).toEqual([
    `project ${join(cwd, '.agents', 'skills')}`,
    `user ${join(home, 'mine', 'skills')}`,
  ]);
});

test('AGIO-12: the roots of one agent take the place of all others', () => {
  expect(rootsOf({ only: ['~/agent', 'skills', 'skills'] }, { SKILLS_DIRS: '/team' })).toEqual([
    `other ${join(home, 'agent')} named`,
    `other ${join(cwd, 'skills')} named`,
  ]);
  expect(rootsOf({ only: [] })).toEqual([]);
});

test('AGIO-12, H9-01: skills/ of the working folder and .claude/skills are read when asked for, and builtin ones last', () => {
  expect(
    rootsOf({
      projectDir: '..',
      alsoInProject: ['skills', '.claude/skills'],
      dirs: ['/team'],
      alsoOfUser: ['.claude/skills'],
      builtin: ['/usr/share/skills'],
    }),
  ).toEqual([
    `project ${resolve('/work/.agents/skills')}`,
    `project ${resolve('/work/skills')} named`,
    `project ${resolve('/work/.claude/skills')} named`,
    `other ${resolve('/team')} named`,
    `user ${join(home, '.agents', 'skills')}`,
    `user ${join(home, '.claude', 'skills')} named`,
    `builtin ${resolve('/usr/share/skills')} named`,
  ]);
});

test('in the home folder, the project’s skills are the person’s own', () => {
  expect(skillRootsOf({ cwd: home, home })).toEqual([{ path: join(home, '.agents', 'skills'), scope: 'user' }]);
});
