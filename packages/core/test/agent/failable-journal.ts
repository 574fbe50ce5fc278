import type { MemoryJournal } from '../../src/agent/memory-journal.js';
import { SkillsError } from '../../src/errors/skills-error.js';

/** A journal that can be told to fail. */
export interface FailableJournal extends MemoryJournal {
  /** From now on every call fails with `IO_ERROR`, as on a disk without room; `false` ends that. */
  fail(failing: boolean): void;
}

export function failableJournal(journal: MemoryJournal): FailableJournal {
  let failing = false;
  const check = (): void => {
    if (failing) throw new SkillsError('IO_ERROR', 'The record cannot be written: there is no room.');
  };
  return {
    events: journal.events,
    kept: journal.kept,
    get synced() {
      return journal.synced;
    },
    append: async (event) => {
      check();
      await journal.append(event);
    },
    keep: async (bytes) => {
      check();
      return journal.keep(bytes);
    },
    sync: async () => {
      check();
      await journal.sync();
    },
    text: (digest) => journal.text(digest),
    fail: (value) => {
      failing = value;
    },
  };
}
