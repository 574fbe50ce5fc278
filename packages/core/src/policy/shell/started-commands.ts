import type { SimpleCommand } from './command-line.js';
import type { Effort } from './effort.js';
import { judgeArguments } from './judge-arguments.js';
import { programName } from './program-name.js';
import { readStarter } from './read-starter.js';

/** What is needed to tell what commands start. */
export interface StartedPorts {
  readonly effort: Effort;
  /** Reads a line that a shell is handed. @throws UnreadableLine */
  readonly readLine: (text: string) => readonly SimpleCommand[];
}

/**
 * Commands as they are written, each followed by what it would start.
 *
 * @throws UnreadableLine where that cannot be told
 */
export function startedCommands(written: readonly SimpleCommand[], ports: StartedPorts): readonly SimpleCommand[] {
  return written.flatMap((command) => withStarted(command, ports));
}

function withStarted(command: SimpleCommand, ports: StartedPorts): readonly SimpleCommand[] {
  const [first, ...rest] = command.words;
  if (first === undefined) return [command];
  ports.effort.spend(command.words.length);
  const name = programName(first);
  judgeArguments(name, rest);
  const started = readStarter(name, rest);
  const { assignments, redirects } = command;
  switch (started.kind) {
    case 'nothing':
      return [command];
    case 'line':
      return [command, ...ports.readLine(started.text).map((inner) => inherit(inner, command))];
    case 'words': {
      const inner = { words: started.words, assignments: [...assignments, ...started.assignments], redirects };
      return [command, ...ports.effort.within(() => withStarted(inner, ports))];
    }
  }
}

/** A command in a line that a command was handed: it has the environment and the files of that one. */
function inherit(inner: SimpleCommand, outer: SimpleCommand): SimpleCommand {
  return {
    words: inner.words,
    assignments: [...outer.assignments, ...inner.assignments],
    redirects: [...outer.redirects, ...inner.redirects],
  };
}
