import type { Sha256 } from '../digest/digest.js';
import type { Digest } from '../digest/is-digest.js';
import { SkillsError } from '../errors/skills-error.js';
import type { KeptText, RunEvent } from './run-event.js';
import type { RunJournal } from './run-journal.js';

/** A record that lives in this process. */
export interface MemoryJournal extends RunJournal {
  readonly events: readonly RunEvent[];
  /** What was kept, by its digest. */
  readonly kept: ReadonlyMap<Digest, Uint8Array>;
  /** How many events there were at the last `sync`; 0 before the first. */
  readonly synced: number;
  /** What was kept, as text. @throws `BLOB_NOT_FOUND`. */
  text(digest: Digest): string;
}

/** A journal without a disk, for runs that need no record once the process ends, and for tests. */
export function createMemoryJournal(sha256: Sha256): MemoryJournal {
  const events: RunEvent[] = [];
  const kept = new Map<Digest, Uint8Array>();
  let synced = 0;
  return {
    events,
    kept,
    get synced() {
      return synced;
    },
    async append(event) {
      events.push(event);
    },
    async keep(bytes): Promise<KeptText> {
      const digest = sha256(bytes);
      // A copy: whoever handed it over may use the buffer again.
      if (!kept.has(digest)) kept.set(digest, Uint8Array.from(bytes));
      return { digest, size: bytes.length };
    },
    async sync() {
      synced = events.length;
    },
    text(digest) {
      const bytes = kept.get(digest);
      if (bytes === undefined) throw new SkillsError('BLOB_NOT_FOUND', `Nothing with ${digest} was kept.`);
      return new TextDecoder().decode(bytes);
    },
  };
}
