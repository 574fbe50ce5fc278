import type { Certainty } from './pattern-reading.js';

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

/** Whether the name in a rule stands for a tool: its own name, or another agent's for one of ours. */
export function standsForTool(name: string, tool: string, certainty: Certainty): boolean {
  if (name === tool || aliases.get(name)?.includes(tool) === true) return true;
  if (certainty === 'surely') return false;
  const other = otherSpelling(name) ?? name;
  return other.toLowerCase() === tool.toLowerCase() || aliases.get(other)?.includes(tool) === true;
}

/** The name that differs from this one in case alone, and is known; `undefined` where there is none, or it is this one. */
export function otherSpelling(name: string): string | undefined {
  const key = name.toLowerCase();
  const found = [...aliases.keys(), ...subjects.keys()].find((known) => known.toLowerCase() === key);
  return found === name ? undefined : found;
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
