import type { RunEvent } from '../run-event.js';

/** Whether a changed skill is read anew here: of one that is called, or that a run goes on with, the files are read, too. */
export function isRenewal(events: readonly RunEvent[], at: number): boolean {
  const read = events[at];
  return read?.type === 'skill_read' && read.path !== '' && events[at + 1]?.type === 'skill_activated';
}
