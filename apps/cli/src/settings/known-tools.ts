import type { RiskClass } from '@skillpack/core';

/** The tools of this command, by their names in rules, and how risky each is. */
export const toolRisks: ReadonlyMap<string, RiskClass> = new Map([
  ['run_script', 'medium'],
  ['run_command', 'high'],
  ['read_file', 'low'],
  ['list_dir', 'low'],
  ['grep', 'low'],
  ['write_file', 'high'],
  ['edit_file', 'high'],
  ['delete_file', 'high'],
  ['http_request', 'high'],
]);

/** The names of all of them. */
export const toolNames: readonly string[] = [...toolRisks.keys()];

/** What other agents call them, and rules may, too. */
export const otherNames: readonly string[] = [
  'Bash',
  'Shell',
  'Read',
  'Grep',
  'Glob',
  'LS',
  'Write',
  'Edit',
  'MultiEdit',
  'Delete',
  'WebFetch',
];
