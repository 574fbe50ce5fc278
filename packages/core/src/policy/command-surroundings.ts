import { quoted } from '../errors/quoted.js';
import type { CommandPattern } from './command-pattern.js';
import type { SimpleCommand } from './shell/command-line.js';

/** A command, and whether another one before it may have changed the folder that it runs in. */
export interface PlacedCommand {
  readonly command: SimpleCommand;
  readonly elsewhere: boolean;
}

const movers: ReadonlySet<string | undefined> = new Set(['cd', 'chdir', 'pushd', 'popd']);

/** Programs that take from their folder what they start. */
const led: ReadonlySet<string | undefined> = new Set(
  'git hg svn make gmake npm pnpm yarn npx bun deno cargo go bundle rake composer poetry uv mvn gradle'.split(' '),
);

/** Commands of a line in their order; behind one that changes the folder, all are taken to be in another one. */
export function placedCommands(commands: readonly SimpleCommand[]): readonly PlacedCommand[] {
  const first = commands.findIndex(({ words }) => movers.has(words[0]));
  return commands.map((command, at) => ({ command, elsewhere: first !== -1 && at > first }));
}

/** Whether a command is given nothing but its words, and those mean there what the pattern says. */
export function isMeantByWords({ command, elsewhere }: PlacedCommand, pattern: CommandPattern): boolean {
  if (command.assignments.length > 0 || !command.redirects.every(isHarmless)) return false;
  if (!elsewhere) return true;
  // Whoever may be told any words, may be told of any folder.
  const [program = ''] = pattern.words;
  return pattern.words.length === 1 && pattern.end === 'words' && /^[\w.-]+$/u.test(program) && !led.has(program);
}

function isHarmless({ operator, target }: SimpleCommand['redirects'][number]): boolean {
  if (target === '/dev/null') return /^(?:\d*(?:<|>|>>|>\|)|&>>?)$/u.test(operator);
  return /^\d*[<>]&$/u.test(operator) && /^(?:[0-2]|-)$/u.test(target);
}

/** What keeps patterns from meaning a command, in a sentence for a person; `undefined` where nothing but its words does. */
export function whyNoPattern({ command, elsewhere }: PlacedCommand): string | undefined {
  const [assignment] = command.assignments;
  if (assignment !== undefined)
    return `No pattern means a command that sets a variable, as ${quoted(assignment.name, 40)}.`;
  const redirect = command.redirects.find((each) => !isHarmless(each));
  if (redirect !== undefined) {
    return `No pattern means a command that reads from a file or writes to one, as ${quoted(redirect.target, 60)}.`;
  }
  if (!elsewhere) return undefined;
  return 'Behind “cd”, the words of a pattern would mean other files: start each command from the workspace.';
}
