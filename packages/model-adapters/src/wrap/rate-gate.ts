import { checkAborted, type Clock } from '@skillpack/core';
import { pauseFor } from './pause-for.js';

/** How many may go through. */
export interface RateGateLimits {
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: number;
  readonly concurrency: number;
}

/** That somebody went through, and what it takes. */
export interface RatePass {
  /** Says how many tokens it took in the end. */
  took(tokens: number): void;
  /** Makes room for the next one, once. */
  leave(): void;
}

interface Begun {
  readonly at: number;
  tokens: number;
}

interface Waiting {
  readonly tokens: number;
  readonly enter: (begun: Begun) => void;
}

const minute = 60_000;

/** Lets calls through in the order in which they came: as many as may begin in any minute, and be there at the same time. */
export class RateGate {
  readonly #clock: Clock;
  readonly #limits: RateGateLimits;
  readonly #queue: Waiting[] = [];
  /** Those of the last minute, the oldest first. */
  #begun: Begun[] = [];
  #inside = 0;
  #working = false;
  #changed = new AbortController();

  constructor(clock: Clock, limits: RateGateLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Waits for its turn. @throws `INTERRUPTED` for whoever gives up, and leaves the queue. */
  async enter(tokens: number, signal: AbortSignal): Promise<RatePass> {
    checkAborted(signal, 'The call of the model');
    const begun = await new Promise<Begun | undefined>((resolve) => {
      const waiting: Waiting = {
        tokens,
        enter: (entered) => {
          signal.removeEventListener('abort', giveUp);
          resolve(entered);
        },
      };
      const giveUp = (): void => {
        const at = this.#queue.indexOf(waiting);
        this.#queue.splice(at, 1);
        // Whoever is next may need less.
        if (at === 0) this.#changed.abort();
        resolve(undefined);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#queue.push(waiting);
      void this.#work();
    });
    if (begun !== undefined) return this.#passOf(begun);
    checkAborted(signal, 'The call of the model');
    throw new Error('It gave up without being aborted.');
  }

  #passOf(begun: Begun): RatePass {
    let inside = true;
    return {
      took: (tokens) => {
        begun.tokens = tokens;
        this.#changed.abort();
      },
      leave: () => {
        if (!inside) return;
        inside = false;
        this.#inside -= 1;
        void this.#work();
      },
    };
  }

  /** Lets in whoever is first, as soon as that may be, until nobody waits or it is full. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (
      let [first] = this.#queue;
      first !== undefined && this.#inside < this.#limits.concurrency;
      [first] = this.#queue
    ) {
      const pause = this.#pauseBefore(first.tokens);
      if (pause > 0) {
        if (this.#changed.signal.aborted) this.#changed = new AbortController();
        await pauseFor(this.#clock, pause, this.#changed.signal);
        continue;
      }
      this.#queue.shift();
      this.#inside += 1;
      const begun = { at: this.#clock.now(), tokens: first.tokens };
      this.#begun.push(begun);
      first.enter(begun);
    }
    this.#working = false;
  }

  /** Milliseconds until one with so many tokens may begin. One with more than a minute may have begins alone. */
  #pauseBefore(tokens: number): number {
    const now = this.#clock.now();
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    this.#begun = this.#begun.filter(({ at }) => at + minute > now && at <= now);
    let requests = this.#begun.length;
    let taken = this.#begun.reduce((sum, begun) => sum + begun.tokens, 0);
    let until = now;
    for (const begun of this.#begun) {
      if (requests < requestsPerMinute && taken + tokens <= tokensPerMinute) break;
      requests -= 1;
      taken -= begun.tokens;
      until = begun.at + minute;
    }
    return until - now;
  }
}
