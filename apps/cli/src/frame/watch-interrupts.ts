import { SkillsError } from '@skillpack/core';

/** The wish of a person, or of whoever runs this process, that it stops. */
export interface Interrupts {
  readonly signal: AbortSignal;
  /** 128 and the number of the signal that came, as shells count; `undefined` while none has. */
  exitCode(): number | undefined;
  /** Listens no more, so that the process can end. */
  close(): void;
}

const numbers = { SIGINT: 2, SIGTERM: 15 } as const;

/** Turns the first Ctrl-C (or SIGTERM) into an abort, so that everything is cleaned up; a second one ends the process at once. */
export function watchInterrupts(source: NodeJS.Process): Interrupts {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const stop = (name: NodeJS.Signals) => {
    close();
    if (name === 'SIGINT' || name === 'SIGTERM') exitCode = 128 + numbers[name];
    controller.abort(new SkillsError('INTERRUPTED', 'Interrupted.', { data: { signal: name } }));
  };
  const close = () => {
    source.off('SIGINT', stop);
    source.off('SIGTERM', stop);
  };
  source.on('SIGINT', stop);
  source.on('SIGTERM', stop);
  return { signal: controller.signal, exitCode: () => exitCode, close };
}
