/** What the input of a tool says of what it touches. */
export type SubjectKind = 'command' | 'path' | 'domain';

// As agents write them in `allowed-tools`: what a skill means by them here.
const aliases: ReadonlyMap<string, readonly string[]> = new Map([
  ['Bash', ['run_command', 'run_script']],
  ['Shell', ['run_command', 'run_script']],
  ['Read', ['read_file', 'list_dir', 'grep']],
  ['Grep', ['grep']],
  ['Glob', ['list_dir']],
  ['LS', ['list_dir']],
  ['Write', ['write_file']],
  ['Edit', ['edit_file', 'write_file']],
  ['MultiEdit', ['edit_file', 'write_file']],
  ['Delete', ['delete_file']],
  ['WebFetch', ['http_request']],
]);

const subjects: ReadonlyMap<string, SubjectKind> = new Map([
  ['run_command', 'command'],
  ['run_script', 'command'],
  ['read_file', 'path'],
  ['list_dir', 'path'],
  ['grep', 'path'],
  ['write_file', 'path'],
  ['edit_file', 'path'],
  ['delete_file', 'path'],
  ['http_request', 'domain'],
]);

/** The names of tools that the name in a rule stands for: itself, and ours where another agent's is written. */
export function toolsNamed(name: string): readonly string[] {
  return [name, ...(aliases.get(name) ?? [])];
}

/** What the input of one of our tools says of what it touches; `undefined` for any other tool. */
export function subjectOfTool(tool: string): SubjectKind | undefined {
  return subjects.get(tool);
}

/** What a pattern behind a name in a rule is held against; `undefined` where it is held against nothing. */
export function subjectOfName(name: string): SubjectKind | undefined {
  const [first] = aliases.get(name) ?? [name];
  return first === undefined ? undefined : subjects.get(first);
}
