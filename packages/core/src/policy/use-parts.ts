import { placedCommands, type PlacedCommand } from './command-surroundings.js';
import { readCommandLine } from './shell/read-command-line.js';
import { subjectOfTool } from './tool-names.js';
import type { JudgedScript, ToolUse } from './tool-use.js';

/** One thing that a use of a tool does, as far as patterns know it: each is judged, and the strictest judgement counts. */
export type UsePart =
  /** Nothing is known of the input of such a tool. */
  | { readonly kind: 'whole' }
  /** The input is not what it should be, or cannot be read for sure. */
  | { readonly kind: 'unclear'; readonly reason: string }
  | ({ readonly kind: 'command' } & PlacedCommand)
  | { readonly kind: 'script'; readonly script: JudgedScript }
  | { readonly kind: 'path'; readonly path: string; readonly reach: 'path' | 'names-below' | 'content-below' }
  | { readonly kind: 'url'; readonly url: string };

// Each is held against each rule.
const mostCommands = 100;
const mostWords = 1_000;

const reaches: ReadonlyMap<string, 'names-below' | 'content-below'> = new Map([
  ['list_dir', 'names-below'],
  ['grep', 'content-below'],
]);

/** What a use does: at least one part. */
export function usePartsOf(use: ToolUse): readonly UsePart[] {
  if (use.action === 'run_script') {
    return [use.script === undefined ? unclear('No script is named.') : { kind: 'script', script: use.script }];
  }
  switch (use.tool === 'run_script' ? undefined : subjectOfTool(use.tool)) {
    case undefined:
      return [{ kind: 'whole' }];
    case 'command':
      return commandsOf(fieldOf(use.input, 'command'));
    case 'path':
      return [pathOf(use)];
    case 'domain': {
      const url = fieldOf(use.input, 'url');
      return [url === undefined ? unclear('It names no URL.') : { kind: 'url', url }];
    }
  }
}

function commandsOf(line: string | undefined): readonly UsePart[] {
  if (line === undefined) return [unclear('It names no command.')];
  const read = readCommandLine(line);
  if (read.kind === 'opaque') return [unclear(read.reason)];
  if (read.commands.length === 0) return [unclear('It starts nothing.')];
  const words = read.commands.reduce((sum, command) => sum + command.words.length, 0);
  if (read.commands.length > mostCommands || words > mostWords) {
    return [unclear(`It is more than ${mostCommands} commands, or ${mostWords} words.`)];
  }
  return placedCommands(read.commands).map((command) => ({ kind: 'command', ...command }));
}

function pathOf({ tool, input }: ToolUse): UsePart {
  const reach = reaches.get(tool);
  // Tools that look through a folder take the workspace where none is named.
  const absent = reach !== undefined && isObject(input) && !('path' in input) ? '.' : undefined;
  const path = fieldOf(input, 'path') ?? absent;
  return path === undefined ? unclear('It names no path.') : { kind: 'path', path, reach: reach ?? 'path' };
}

function unclear(reason: string): UsePart {
  return { kind: 'unclear', reason };
}

function isObject(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null;
}

/** A getter could say something else the next time; what a model gives is plain. */
function fieldOf(input: unknown, name: string): string | undefined {
  const value: unknown = isObject(input) ? Object.getOwnPropertyDescriptor(input, name)?.value : undefined;
  return typeof value === 'string' ? value : undefined;
}
