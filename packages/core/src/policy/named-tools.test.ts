import { expect, test } from 'vitest';
import { namedTools } from './named-tools.js';

const known = [
  'run_command',
  'run_script',
  'read_file',
  'list_dir',
  'grep',
  'write_file',
  'edit_file',
  'delete_file',
  'http_request',
  'shout',
  'Bash',
  'mcp__github__get_issue',
  'mcp__github__list',
  'mcp__gitlab__list',
  'mcp__github__a__b',
];

test.each([
  ['Bash', ['run_command', 'run_script', 'Bash']],
  ['Bash(git:*)', ['run_command', 'run_script', 'Bash']],
  ['Bash("odd")', ['run_command', 'run_script', 'Bash']],
  ['Shell', ['run_command', 'run_script']],
  ['Read', ['read_file', 'list_dir', 'grep']],
  ['Grep', ['grep']],
  ['Glob', ['list_dir']],
  ['LS', ['list_dir']],
  ['Write(src/**)', ['write_file']],
  ['Edit', ['write_file', 'edit_file']],
  ['MultiEdit', ['write_file', 'edit_file']],
  ['Delete', ['delete_file']],
  ['WebFetch(domain:a.org)', ['http_request']],
  ['shout', ['shout']],
  ['shout(x)', ['shout']],
  ['Shout', []],
  ['bash', []],
  ['mcp__github', ['mcp__github__get_issue', 'mcp__github__list']],
  ['mcp__github__*', ['mcp__github__get_issue', 'mcp__github__list']],
  ['mcp__github__list', ['mcp__github__list']],
  ['mcp__git', []],
  ['*', []],
  ['risk:low', []],
  ['Task', []],
  ['constructor', []],
  ['Bash (git:*)', []],
])('SPEC-05: %j names %j', (entry, names) => {
  expect(namedTools(entry, known)).toEqual(names);
});
