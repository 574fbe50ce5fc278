import type { Sha256 } from '../../digest/digest.js';
import { SkillsError } from '../../errors/skills-error.js';
import type { Clock } from '../clock.js';
import type { RunEvent, RunEventType } from '../run-event.js';
import type { RunJournal } from '../run-journal.js';

/** How far a replay is in the events that it has to come to. */
export class ReplayCursor {
  readonly events: readonly RunEvent[];
  readonly #run: string;
  #position = 0;
  #resuming = false;
  #controller = new AbortController();
  /** By the run whose work began with them. */
  readonly #timers = new Map<string, AbortController>();
  /** Where the replay came to another event than the record. */
  difference: { readonly expected: RunEvent; readonly actual: RunEvent } | undefined;

  constructor(events: readonly RunEvent[]) {
    this.events = events;
    this.#run = events[0]?.run ?? '';
  }

  /** The event that has to come next; `undefined` at the end of the record. */
  get next(): RunEvent | undefined {
    return this.events[this.#position];
  }

  /** How many events were the same. */
  get position(): number {
    return this.#position;
  }

  /** Whether the process of the record ended here: another one went on, or none. */
  get cutOff(): boolean {
    const { next } = this;
    return next === undefined || (next.type === 'run_resumed' && !this.#resuming);
  }

  /** The signal of the request that begins now: aborted when the recorded one was. */
  renewSignal(): AbortSignal {
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  /** From here on, the process that went on is replayed. */
  resume(): void {
    this.#resuming = true;
  }

  /** The next event, if it is of this type: the answer of a port. @throws where the record has none, which ends the replay. */
  answer<Type extends RunEventType>(type: Type): RunEvent & { readonly type: Type } {
    const { next } = this;
    // What the engine makes of the error differs from the record, if that does not end here.
    if (next?.type !== type) throw new SkillsError('INVALID_RECORD', `The record has no ${type} here.`);
    // Narrowed by the comparison above.
    return next as RunEvent & { readonly type: Type };
  }

  /** The clock of the record: it is read once for each event, a time is up where the record says so, and nobody waits. */
  readonly clock: Clock = {
    now: () => {
      if (this.cutOff) throw new CutOff();
      return Date.parse(this.next?.at ?? '');
    },
    startTimer: () => {
      const controller = new AbortController();
      this.#timers.set(this.events[this.#position - 1]?.run ?? this.#run, controller);
      return { signal: controller.signal, clear: () => {} };
    },
    pause: async () => {},
  };

  /** A journal that writes nothing, and compares. */
  journal(sha256: Sha256): RunJournal {
    return {
      append: async (event) => this.#compare(event),
      keep: async (bytes) => ({ digest: sha256(bytes), size: bytes.length }),
      sync: async () => {},
    };
  }

  #compare(actual: RunEvent): void {
    const expected = this.next;
    if (expected === undefined) throw new CutOff();
    if (expected.hash !== actual.hash) {
      this.difference = { expected, actual };
      throw new CutOff();
    }
    this.#position += 1;
    if (expected.type === 'run_resumed') this.#resuming = false;
    this.#stopHere();
  }

  /** A request that was cancelled, or whose time was up, ends with that, at once or after the end of its turn. */
  #stopHere(): void {
    const after = this.next?.type === 'turn_finished' ? this.events[this.#position + 1] : this.next;
    if (after?.type !== 'request_answered') return;
    if (after.stop === 'cancelled') this.#controller.abort();
    if (after.stop === 'max_wall_time') this.#timers.get(after.run)?.abort();
  }

  /** The next event that tells what was asked of the run from outside: a turn, or an answer, that it was let go on. */
  nextCommand(): RunEvent | undefined {
    return this.events.slice(this.#position).find(({ run, type }) => run === this.#run && commands.has(type));
  }
}

const commands: ReadonlySet<RunEventType> = new Set([
  'request_received',
  'turn_started',
  'request_answered',
  'run_resumed',
  'run_finished',
]);

/** The replay is where the record ends, or differs from it. No error of a run: only `replayRun` sees it. */
export class CutOff extends Error {}
