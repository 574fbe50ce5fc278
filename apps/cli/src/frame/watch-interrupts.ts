import { constants } from 'node:os';
import { SkillsError } from '@skillpack/core';

/** The wish of a person, or of whoever runs this process, that it stops. */
export interface Interrupts {
  readonly signal: AbortSignal;
  /** 128 and the number of the signal that came, as shells count; `undefined` while none has. */
  exitCode(): number | undefined;
  /** Listens no more, so that the process can end. */
  close(): void;
}

/** What asks a process to end: SIGHUP comes where its terminal is closed, SIGBREAK is Ctrl-Break of Windows. */
const names = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK'] as const;

/**
 * Turns the first Ctrl-C (or SIGTERM, SIGHUP, SIGQUIT) into an abort, so that everything is cleaned up; a second one ends
 * the process at once, and its scripts with it.
 */
export function watchInterrupts(source: NodeJS.Process): Interrupts {
  const controller = new AbortController();
  // A platform has some of them: 128 and a number, as shells count.
  const known = names.flatMap((name) => {
    const number = (constants.signals as Readonly<Record<string, number | undefined>>)[name];
    return number === undefined ? [] : [[name, 128 + number] as const];
  });
  const exitCodes = new Map<NodeJS.Signals, number>(known);
  let first: NodeJS.Signals | undefined;
  const stop = (name: NodeJS.Signals) => {
    if (first === undefined) {
      first = name;
      controller.abort(new SkillsError('INTERRUPTED', 'Interrupted.', { data: { signal: name } }));
      // A terminal that goes away says so once itself, and once more by its shell.
    } else if (name !== 'SIGHUP' || first !== 'SIGHUP') {
      // By exit, so that whoever has something to end or to restore hears of it: a signal that nobody handles says nothing.
      source.exit(exitCodes.get(name));
    }
  };
  for (const name of exitCodes.keys()) source.on(name, stop);
  return {
    signal: controller.signal,
    exitCode: () => (first === undefined ? undefined : exitCodes.get(first)),
    close: () => {
      for (const name of exitCodes.keys()) source.off(name, stop);
    },
  };
}
