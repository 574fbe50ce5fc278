import { type Clock, checkAborted, SkillsError, type Timer } from '@skillpack/core';
import type { AiSdkTimeout } from './ai-sdk-options.js';

/** Of which call, and how long it may take. */
export interface WatchOptions {
  /** The signal of whoever asked. */
  readonly cancelled: AbortSignal;
  readonly clock: Clock;
  readonly timeout: AiSdkTimeout;
  /** As messages call it. */
  readonly model: string;
}

/** The longest that timers can be set to; what may take longer has no timer. */
const longestTimer = 2_147_483_647;

/**
 * Waits for a provider until whoever asked gives up, or its time is over. Then the provider is told by `signal`, and not
 * waited for any more, whether it heeds that or not.
 */
export class CallWatch {
  readonly #options: WatchOptions;
  readonly #controller = new AbortController();
  readonly #total: Timer | undefined;
  #piece: Timer | undefined;
  #failure: SkillsError | undefined;
  #leave: ((failure: SkillsError) => void) | undefined;

  /** @throws `INTERRUPTED` where whoever asked has given up already. */
  constructor(options: WatchOptions) {
    this.#options = options;
    const { cancelled, timeout } = options;
    checkAborted(cancelled, whatOf(options));
    cancelled.addEventListener('abort', this.#cancel, { once: true });
    this.#total = this.#startTimer(timeout.total, 'had no whole answer');
    this.#piece = this.#startTimer(timeout.firstPiece, 'began no answer');
  }

  /** For the provider: aborted when nobody waits any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why nobody waits any more. */
  get failure(): SkillsError | undefined {
    return this.#failure;
  }

  /** @throws `INTERRUPTED`, `TIMEOUT`. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** A piece of the answer came: the time until the next one begins. */
  heard(): void {
    this.#piece?.clear();
    this.#piece = this.#startTimer(this.#options.timeout.betweenPieces, 'went on with no answer');
  }

  /**
   * What the provider comes to.
   *
   * @param tooLate takes what it comes to after nobody waited any more.
   * @throws `INTERRUPTED`, `TIMEOUT`, and what the provider throws.
   */
  async until<Value>(work: () => PromiseLike<Value>, tooLate?: (value: Value) => void): Promise<Value> {
    this.check();
    return new Promise((resolve, reject) => {
      this.#leave = reject;
      const asked = (async () => work())();
      asked.then((value) => {
        if (this.#failure === undefined) resolve(value);
        else tooLate?.(value);
      }, reject);
    });
  }

  /** Lets go of everything. A provider that is still at work is told to stop. */
  end(): void {
    this.#leave = undefined;
    this.#options.cancelled.removeEventListener('abort', this.#cancel);
    this.#total?.clear();
    this.#piece?.clear();
    this.#controller.abort();
  }

  readonly #cancel = (): void => {
    const { cancelled } = this.#options;
    this.#stop(
      new SkillsError('INTERRUPTED', `${whatOf(this.#options)} was cancelled.`, { cause: cancelled.reason as unknown }),
    );
  };

  #stop(failure: SkillsError): void {
    this.#failure ??= failure;
    this.#leave?.(this.#failure);
    this.#controller.abort();
  }

  #startTimer(milliseconds: number | undefined, what: string): Timer | undefined {
    if (milliseconds === undefined || milliseconds > longestTimer) return undefined;
    const timer = this.#options.clock.startTimer?.(milliseconds);
    const late = (): void =>
      this.#stop(new SkillsError('TIMEOUT', `The model ${this.#options.model} ${what} within ${milliseconds} ms.`));
    timer?.signal.addEventListener('abort', late, { once: true });
    return timer;
  }
}

function whatOf({ model }: WatchOptions): string {
  return `The call of the model ${model}`;
}
