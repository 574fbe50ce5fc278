import type { KeptText, RunEvent } from '../agent/run-event.js';
import type { RunJournal } from '../agent/run-journal.js';
import type { Sha256 } from '../digest/digest.js';
import type { Digest } from '../digest/is-digest.js';
import { SkillsError } from '../errors/skills-error.js';

/** A record that lives in this process. */
export interface MemoryJournal extends RunJournal {
  readonly events: readonly RunEvent[];
  /** What was kept, by its digest. */
  readonly kept: ReadonlyMap<Digest, Uint8Array>;
  /** How many events there were at the last `sync`; 0 before the first. */
  readonly synced: number;
  /** What was kept, as text. @throws `BLOB_NOT_FOUND`. */
  text(digest: Digest): string;
  /** From now on every call fails with `IO_ERROR`, as on a disk without room; `false` ends that. */
  fail(failing: boolean): void;
}

/** A journal without a disk, for tests and for runs that need no record. It takes events as they come, unchecked. */
export function createMemoryJournal(sha256: Sha256): MemoryJournal {
  const events: RunEvent[] = [];
  const kept = new Map<Digest, Uint8Array>();
  let synced = 0;
  let failing = false;
  const check = (): void => {
    if (failing) throw new SkillsError('IO_ERROR', 'The record cannot be written: there is no room.');
  };
  return {
    events,
    kept,
    get synced() {
      return synced;
    },
    async append(event) {
      check();
      events.push(event);
    },
    async keep(bytes): Promise<KeptText> {
      check();
      const digest = sha256(bytes);
      // A copy: whoever handed it over may use the buffer again.
      if (!kept.has(digest)) kept.set(digest, Uint8Array.from(bytes));
      return { digest, size: bytes.length };
    },
    async sync() {
      check();
      synced = events.length;
    },
    text(digest) {
      const bytes = kept.get(digest);
      if (bytes === undefined) throw new SkillsError('BLOB_NOT_FOUND', `Nothing with ${digest} was kept.`);
      return new TextDecoder().decode(bytes);
    },
    fail: (value) => {
      failing = value;
    },
  };
}
