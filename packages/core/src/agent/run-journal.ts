import type { KeptText, RunEvent } from './run-event.js';

/** Where the record of a run goes. */
export interface RunJournal {
  /** Takes the next event. Events arrive in order; what was taken survives the process after the next `sync`. */
  append(event: RunEvent): Promise<void>;
  /** Keeps something by its digest. The same bytes are kept once. */
  keep(bytes: Uint8Array): Promise<KeptText>;
  /** Everything so far is on the disk when it ends. Called at the end of each turn. */
  sync(): Promise<void>;
}
