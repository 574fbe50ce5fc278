import type { DoctorEvent, InstallEvent } from '@skillpack/cli-dist';
import type { Reporter } from '../frame/reporter.js';

const noteworthy = 1000;

/** A listener that tells for which process a command waits; whatever happens next ends the waiting. */
export function followWaiting(reporter: Reporter): (event: InstallEvent | DoctorEvent) => void {
  let patience: NodeJS.Timeout | undefined;
  return (event) => {
    clearTimeout(patience);
    if (event.kind !== 'waiting') return;
    const { holder, timeout } = event;
    const which = holder === undefined ? '' : ` (process ${holder})`;
    const waiting = `Waiting for another process${which}, at most ${Math.ceil(timeout / 1000)} s`;
    reporter.progress({ label: waiting });
    reporter.detail(waiting);
    // Commands that take turns wait for moments, of which nobody needs to know.
    patience = setTimeout(() => reporter.note(`${waiting}.`), noteworthy).unref();
  };
}
