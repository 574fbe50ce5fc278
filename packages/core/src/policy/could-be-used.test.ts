import { expect, test } from 'vitest';
import { couldBeUsed } from './could-be-used.js';
import type { Permissions, ToolRules } from './permissions.js';
import type { JudgedTool, PolicySkill } from './tool-use.js';

const skill: PolicySkill = {
  name: 'docx',
  location: '/work/skills/docx',
  pack: 'acme/docx',
  scope: 'project',
  allowedTools: undefined,
};
const command: JudgedTool = { action: 'call_tool', tool: 'run_command', risk: 'high' };
const reading: JudgedTool = { action: 'call_tool', tool: 'read_file', risk: 'low' };

function could(tool: JudgedTool, permissions: Permissions = {}, skills: readonly PolicySkill[] = []): boolean {
  return couldBeUsed(tool, { permissions, skills });
}

test('where nothing is configured, a tool of high risk is not worth offering', () => {
  expect(could(reading)).toBe(true);
  expect(could({ ...command, risk: 'medium' })).toBe(true);
  expect(could(command)).toBe(false);
});

test.each([
  [{ allow: ['Bash(git:*)'] }, true],
  [{ ask: ['run_command'] }, true],
  [{ ask: ['*'], deny: ['Bash(rm:*)'] }, true],
  [{ ask: ['*'], deny: ['Bash(a b)', 'read_file'] }, true],
  [{ ask: ['*'], deny: ['Bash'] }, false],
  [{ ask: ['*'], deny: ['bash'] }, false],
  [{ ask: ['*'], deny: ['risk:high'] }, false],
  [{ ask: ['*'], deny: ['Bash("rm")'] }, false],
  [{ ask: ['*'], deny: ['no rule'] }, false],
  [{ allow: [], ask: ['Bash("git")', 'no rule'] }, false],
  [{ allow: ['risk:low', 'run_script'] }, false],
  [{ allow: [] }, false],
] as const satisfies readonly (readonly [ToolRules, boolean])[])(
  'a command could be run under %j: %j',
  (rules, expected) => {
    expect(could(command, { configured: rules })).toBe(expected);
    expect(could(command, { configured: { allow: ['*'] }, run: rules })).toBe(expected);
  },
);

test('a tool that a restricting skill does not name is not worth offering, whoever brought it', () => {
  const lists = { ...skill, allowedTools: ['Read(src/**)'] };
  const silent = { ...skill, name: 'x' };
  const permissions = { configured: { allow: ['*'] } };
  expect(could(reading, permissions, [lists, silent])).toBe(true);
  expect(could(command, permissions, [lists, silent])).toBe(false);
  expect(could(command, { ...permissions, allowedTools: 'ignore' }, [lists])).toBe(true);
  expect(could({ ...command, onBehalfOf: silent }, permissions, [lists])).toBe(true);
  expect(could({ ...command, onBehalfOf: lists }, permissions, [])).toBe(false);
  expect(could(reading, permissions, [{ ...skill, allowedTools: ['*', 'risk:low', 'Read(~)'] }])).toBe(false);
});
