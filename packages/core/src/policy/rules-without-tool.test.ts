import { expect, test } from 'vitest';

import { rulesWithoutTool } from './rules-without-tool.js';

const known = ['run_command', 'run_script', 'read_file', 'mcp__github__search'];

test.each([
  ['*'],
  ['risk:high'],
  ['run_command(git:*)'],
  ['Bash(rm *)'],
  ['Read(.env)'],
  ['run_script(skill:pdf)'],
  ['mcp__github'],
])('%s means a tool, or every one', (rule) => {
  const rules = { allow: [rule], ask: [rule], deny: [rule] };
  expect(rulesWithoutTool({ configured: rules, run: rules }, known)).toEqual([]);
});

test.each([['Bsh(git:*)'], ['write_file'], ['Edit(src/**)'], ['mcp__gitlab'], ['constructor']])(
  '%s means none, and its place is told',
  (rule) => {
    expect(rulesWithoutTool({ configured: { deny: ['*', rule] }, run: { allow: [rule] } }, known)).toEqual([
      { at: 'configured.deny.1', rule },
      { at: 'run.allow.0', rule },
    ]);
  },
);

test('a name in another case means a tool where it denies or asks, as it is judged, and none where it allows', () => {
  const rules = { allow: ['bash(git:*)'], ask: ['READ_FILE'], deny: ['bash'] };
  expect(rulesWithoutTool({ run: rules }, known)).toEqual([{ at: 'run.allow.0', rule: 'bash(git:*)' }]);
});

test('without permissions there is no rule', () => {
  expect(rulesWithoutTool({}, known)).toEqual([]);
});
