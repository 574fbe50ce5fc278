import type { CommandLine, SimpleCommand } from './command-line.js';
import { Effort } from './effort.js';
import { parseCommands } from './parse-commands.js';
import { readTokens } from './read-tokens.js';
import { startedCommands } from './started-commands.js';
import { UnreadableLine } from './unreadable-line.js';

/** The longest line that is read, in UTF-16 code units. */
const longest = 65_536;

/** Each character is read once, and once more for each line and each program that it lies in. */
const mostSteps = longest * 16;

/**
 * Reads which simple commands a line would start when `bash -c` or any POSIX `sh -c` runs it. Never throws, and takes
 * time in proportion to the length. Whatever it cannot read for sure is opaque, with the reason:
 *
 * - what only some shells read that way, a syntax error, a here-document, every compound command but groups and lists;
 * - words that only the run knows: expansions, unquoted patterns, and what `xargs` or `find -exec` would add;
 * - builtins that change what later commands mean (`alias`, `export`, `set`, `trap` …), and what reads commands from
 *   elsewhere (`. file`, `bash file`, `ssh host`);
 * - known options by which a program is told to start another one (`git -c core.pager=…`, `tar --to-command`).
 *
 * What a program starts for another one (`env`, `timeout`, `bash -c`, `eval` …) is among the commands, behind it.
 *
 * So a rule such as `git:*` that matches every command says: of what this line starts itself, there is git and nothing
 * else. It says nothing of what git starts because of the files that it finds, such as hooks; and a rule for an
 * interpreter, a build tool or a package manager allows whatever code these are given.
 */
export function readCommandLine(text: string): CommandLine {
  return readWithin(text, new Effort(mostSteps));
}

/** The same, with the effort counted. */
export function readWithin(text: string, effort: Effort): CommandLine {
  try {
    return { kind: 'commands', commands: readCommands(text, effort) };
  } catch (error) {
    if (error instanceof UnreadableLine) return { kind: 'opaque', reason: error.message };
    throw error;
  }
}

function readCommands(text: string, effort: Effort): readonly SimpleCommand[] {
  if (text.length > longest) throw new UnreadableLine(`It has more than ${longest} characters.`);
  effort.spend(text.length + 1);
  // Half of a surrogate pair reaches a program as another character.
  if (/[^\P{Cc}\n\t]|\p{Surrogate}/u.test(text)) throw new UnreadableLine('It has control characters.');
  const written = parseCommands(readTokens(text), effort);
  return startedCommands(written, { effort, readLine: (line) => effort.within(() => readCommands(line, effort)) });
}
