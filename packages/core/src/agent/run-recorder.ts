import type { Sha256 } from '../digest/digest.js';
import type { Digest } from '../digest/is-digest.js';
import type { Clock } from './clock.js';
import { redactEvent } from './redact-event.js';
import { redactBytes } from './record/redact-bytes.js';
import { recordedRedaction, type RecordedRedaction } from './record/redaction.js';
import { chainStart, sealEvent } from './record/seal-event.js';
import { reduceEvent } from './reduce-event.js';
import type { KeptText, RunEvent, RunEventBody } from './run-event.js';
import type { RunJournal } from './run-journal.js';
import type { RunState } from './run-state.js';

/** Where a record goes, and what it needs on the way. */
export interface RecorderPorts {
  readonly journal: RunJournal;
  readonly clock: Clock;
  readonly sha256: Sha256;
}

/** What is done with each event. */
export interface RecorderOptions {
  readonly redact: (text: string) => string;
  readonly onEvent: (event: RunEvent) => void;
  /** The event that the record ends with already. @default none */
  readonly last?: { readonly seq: number; readonly hash: Digest } | undefined;
}

/** What was kept, and what it holds after redaction: what everything further is made from. */
export interface Kept {
  readonly kept: KeptText;
  readonly bytes: Uint8Array;
}

/** An event, or what makes it once its time is known, in milliseconds since 1970. */
export type MakeEvent = RunEventBody | ((now: number) => RunEventBody);

/**
 * The one way into a record: events of a run and of its child runs, one after another, redacted, chained, each with one
 * reading of the clock; and the states that they come to. Once the journal has refused something, nothing goes in any more.
 */
export class RunRecorder {
  readonly #ports: RecorderPorts;
  readonly #options: RecorderOptions;
  readonly #states = new Map<string, RunState>();
  readonly #root: string;
  #last: { readonly seq: number; readonly hash: Digest } | undefined;
  #now = 0;
  #broken: { readonly error: unknown } | undefined;

  constructor(root: string, ports: RecorderPorts, options: RecorderOptions) {
    this.#root = root;
    this.#ports = ports;
    this.#options = options;
    this.#last = options.last;
  }

  /** Whether the record cannot go on. */
  get broken(): boolean {
    return this.#broken !== undefined;
  }

  get redact(): (text: string) => string {
    return this.#options.redact;
  }

  /** Whether there is something that takes secrets out. */
  get redacting(): boolean {
    return this.redaction !== undefined;
  }

  /** As the record says it. */
  get redaction(): RecordedRedaction {
    return recordedRedaction(this.redact);
  }

  /** From now on, the state is moved on with each event. */
  follow(state: RunState): void {
    this.#states.set(state.id, state);
  }

  /** Ends that; the state is what it was at the end. */
  leave(run: string): void {
    this.#states.delete(run);
  }

  /** Of a run that is followed. */
  stateOf(run: string): RunState {
    const state = this.#states.get(run);
    if (state === undefined) throw new Error(`Nobody follows the run ${run}.`);
    return state;
  }

  /** @throws what the journal throws; from then on, always that. */
  async append(run: string, make: MakeEvent): Promise<RunEvent> {
    return this.#guarded(async () => {
      const now = wholeTime(this.#ports.clock.now(), this.#now);
      this.#now = now;
      const body = redactEvent(typeof make === 'function' ? make(now) : make, this.redact);
      const { sha256 } = this.#ports;
      const prev = this.#last?.hash ?? chainStart(this.#root, sha256);
      const seq = (this.#last?.seq ?? 0) + 1;
      const event = sealEvent(body, { seq, run, at: new Date(now).toISOString(), prev }, sha256);
      await this.#ports.journal.append(event);
      this.#last = { seq, hash: event.hash };
      for (const [id, state] of this.#states) this.#states.set(id, reduceEvent(state, event));
      this.#options.onEvent(event);
      return event;
    });
  }

  /** Keeps bytes, with every text in them redacted. */
  async keep(bytes: Uint8Array): Promise<Kept> {
    return this.#guarded(async () => {
      const redacted = redactBytes(bytes, this.redact);
      return { kept: await this.#ports.journal.keep(redacted), bytes: redacted };
    });
  }

  /** Keeps a text that was made of redacted ones. */
  async keepText(text: string): Promise<KeptText> {
    return this.#guarded(async () => this.#ports.journal.keep(new TextEncoder().encode(text)));
  }

  async sync(): Promise<void> {
    await this.#guarded(async () => this.#ports.journal.sync());
  }

  /** Throws on what the journal threw, where something caught it in between. */
  check(): void {
    if (this.#broken !== undefined) throw this.#broken.error;
  }

  async #guarded<Value>(write: () => Promise<Value>): Promise<Value> {
    this.check();
    try {
      return await write();
    } catch (error) {
      this.#broken = { error };
      throw error;
    }
  }
}

const latest = 8_640_000_000_000_000;

/** A clock may say anything; a record has milliseconds of the time that dates have. What is no time is the time before. */
function wholeTime(now: number, before: number): number {
  return Number.isFinite(now) ? Math.trunc(Math.min(Math.max(now, 0), latest)) : before;
}
