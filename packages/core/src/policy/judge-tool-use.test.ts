import { expect, test } from 'vitest';
import { judgeToolUse } from './judge-tool-use.js';
import type { ToolUse } from './tool-use.js';

const reading: ToolUse = {
  action: 'call_tool',
  tool: 'read_file',
  risk: 'low',
  input: { path: 'a.md' },
  runsCode: false,
  confined: false,
};
const script: ToolUse = {
  action: 'run_script',
  tool: 'run_script',
  risk: 'medium',
  input: { relative_path: 'scripts/a.py', args: [] },
  runsCode: true,
  confined: false,
  script: { path: 'scripts/a.py', folder: '/skills/pdf', args: [] },
};
const command: ToolUse = { ...reading, tool: 'run_command', risk: 'high', runsCode: true, input: { command: 'ls' } };

test.each([
  ['reading is allowed', reading, 'allow'],
  ['a script asks', script, 'ask'],
  ['high risk is off', command, 'refuse'],
] as const)('where nothing is configured, %s', (_, use, kind) => {
  expect(judgeToolUse(use, { permissions: {}, skills: [] })).toMatchObject({ kind });
});
