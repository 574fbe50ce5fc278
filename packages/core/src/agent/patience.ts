import { SkillsError } from '../errors/skills-error.js';
import type { EarlyStopReason } from './budget.js';
import type { Clock, Timer } from './clock.js';

/** What ends the waiting. */
export interface PatienceOptions {
  /** The signal of whoever asked. @default nobody cancels */
  readonly cancelled?: AbortSignal | undefined;
  /** Milliseconds that all of it may take; what is left of them, where the time may stand still. @default no limit */
  readonly time?: number | (() => number) | undefined;
}

/** Who is waited for. */
export interface WaitedFor {
  /** As a message calls it: `The model`. */
  readonly who: string;
  /** Whether it may change something, so that nobody knows what it did once it is left behind. @default false */
  readonly changes?: boolean | undefined;
  /** Milliseconds that it may take to stop. @default 3000, which is the least */
  readonly timeToStop?: number | undefined;
}

/** Milliseconds that whoever is told to stop has for it at least. */
const leastTimeToStop = 3_000;

/** The longest that timers can be set to; what may take longer has no timer. */
export const longestTimer = 2_147_483_647;

/**
 * How long a run waits for its ports: until it is cancelled or its time is up, and then a moment more, in which they can
 * stop by themselves. Whoever does not is left behind, and what comes of it later is ignored.
 */
export class Patience {
  readonly cancelled: AbortSignal | undefined;
  readonly #clock: Clock;
  readonly #time: () => number;
  #timer: Timer | undefined;
  readonly #controller = new AbortController();
  readonly #stop = (): void =>
    this.#controller.abort((this.cancelled?.aborted === true ? this.cancelled : this.#timer?.signal)?.reason);

  constructor(clock: Clock, { cancelled, time = Number.POSITIVE_INFINITY }: PatienceOptions = {}) {
    this.#clock = clock;
    this.cancelled = cancelled;
    this.#time = typeof time === 'function' ? time : () => time;
    this.#startTimer();
    if (cancelled?.aborted === true) this.#stop();
    cancelled?.addEventListener('abort', this.#stop, { once: true });
  }

  /** Aborted at either end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why nobody is waited for any more; `undefined` while there is time. */
  get end(): (EarlyStopReason & ('cancelled' | 'max_wall_time')) | undefined {
    if (this.cancelled?.aborted === true) return 'cancelled';
    return this.#timer?.signal.aborted === true ? 'max_wall_time' : undefined;
  }

  /**
   * What a port answers.
   *
   * @throws what the port throws; `INTERRUPTED` or `TIMEOUT` where it was not asked any more, or left behind.
   */
  async waitFor<Value>(port: WaitedFor, ask: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const { signal, end } = this;
    if (end !== undefined) throw notBegun(end);
    let release = (): void => {};
    const leftBehind = new Promise<never>((_, reject) => {
      let moment: Timer | undefined;
      const leave = (): void => reject(leftBehindError(port, this.end));
      const wait = (): void => {
        moment = this.#clock.startTimer?.(timeToStopOf(port));
        moment?.signal.addEventListener('abort', leave, { once: true });
      };
      signal.addEventListener('abort', wait, { once: true });
      release = () => {
        signal.removeEventListener('abort', wait);
        moment?.clear();
      };
    });
    try {
      // A race also takes note of what the one who lost it throws later.
      return await Promise.race([leftBehind, (async () => ask(signal))()]);
    } finally {
      release();
    }
  }

  /** Lets the time stand still while something lasts: then it goes on with what is left. Whoever cancels is still heard. */
  async standStill<Value>(last: () => Promise<Value>): Promise<Value> {
    if (this.end !== undefined) return last();
    this.#endTimer();
    try {
      return await last();
    } finally {
      if (this.end === undefined) this.#startTimer();
    }
  }

  /** Lets go of the caller's signal, and ends the timer. */
  release(): void {
    this.cancelled?.removeEventListener('abort', this.#stop);
    this.#endTimer();
  }

  #startTimer(): void {
    const time = this.#time();
    this.#timer = time <= longestTimer ? this.#clock.startTimer?.(Math.max(0, time)) : undefined;
    this.#timer?.signal.addEventListener('abort', this.#stop, { once: true });
  }

  #endTimer(): void {
    this.#timer?.signal.removeEventListener('abort', this.#stop);
    this.#timer?.clear();
    this.#timer = undefined;
  }
}

/** Ports come from anywhere. */
function timeToStopOf({ timeToStop = leastTimeToStop }: WaitedFor): number {
  return timeToStop > leastTimeToStop ? Math.min(timeToStop, longestTimer) : leastTimeToStop;
}

function notBegun(end: Patience['end']): SkillsError {
  return end === 'cancelled'
    ? new SkillsError('INTERRUPTED', 'It was cancelled before this began.')
    : new SkillsError('TIMEOUT', 'The time was up before this began.');
}

function leftBehindError({ who, changes }: WaitedFor, end: Patience['end']): SkillsError {
  const code = end === 'cancelled' ? 'INTERRUPTED' : 'TIMEOUT';
  const why = end === 'cancelled' ? 'it was cancelled' : 'the time was up';
  const message = `${who} did not stop when ${why}, and was left behind.`;
  if (changes !== true) return new SkillsError(code, message);
  return new SkillsError(code, `${message} Whether it took effect is not known.`, {
    hint: 'Find out before you do it again.',
    data: { uncertain: true },
  });
}
