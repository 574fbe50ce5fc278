import type { SkillEntry } from '@skillpack/core';
import { expect, test } from 'vitest';
import { grantedScripts } from './granted-scripts.js';

/** A skill of a project with these `allowed-tools`. */
function skill(name: string, allowedTools: readonly string[] | undefined, more: Partial<SkillEntry> = {}): SkillEntry {
  const entry = { name, scope: 'project', location: `/project/.agents/skills/${name}`, head: { name, allowedTools } };
  // Cast: nothing else of it is looked at.
  return { pack: undefined, ...entry, ...more } as unknown as SkillEntry;
}

test('AGIO-16: what a project’s own skills list of scripts is a yes beforehand; other tools are none, and of a pack nothing is', () => {
  const skills = [
    skill('one', ['Bash(node:*)', 'Read', 'run_script', 'write_file', '*', 'risk:high']),
    skill('two', ['Read', 'write_file', 'run_command']),
    skill('three', undefined),
    skill('four', ['Shell'], { pack: 'acme/four' }),
    skill('five', ['Bash'], { scope: 'other' }),
  ];
  expect(grantedScripts(skills, {})).toEqual([{ name: 'one', entries: ['Bash(node:*)', 'run_script'] }]);
  expect(grantedScripts(skills, { allowedTools: { one: 'ignore', 'acme/*': 'grant' } })).toEqual([
    { name: 'four', entries: ['Shell'] },
  ]);
  expect(grantedScripts(skills, { allowedTools: 'restrict' })).toEqual([]);
});
