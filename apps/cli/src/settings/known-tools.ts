/** The tools of this command, by their names in rules. */
export const toolNames: readonly string[] = [
  'run_script',
  'run_command',
  'read_file',
  'list_dir',
  'grep',
  'write_file',
  'edit_file',
  'delete_file',
  'http_request',
];

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
