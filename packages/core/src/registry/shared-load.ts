import { untilAborted } from '../errors/until-aborted.js';

/** Work that any number of callers wait for: done once, and cancelled when all of them have given up. */
export class SharedLoad<Result> {
  readonly #controller = new AbortController();
  readonly #result: Promise<Result>;
  #waiting = 0;

  constructor(work: (signal: AbortSignal) => Promise<Result>) {
    this.#result = work(this.#controller.signal);
    // Where nobody waits any more, nobody is told.
    this.#result.catch(() => undefined);
  }

  /** Whether it was cancelled, so that whoever comes next has to begin anew. */
  get cancelled(): boolean {
    return this.#controller.signal.aborted;
  }

  /** @throws `INTERRUPTED` when the signal is aborted, and what the work throws. */
  async wait(signal: AbortSignal | undefined): Promise<Result> {
    this.#waiting += 1;
    try {
      return await untilAborted(async () => this.#result, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && signal?.aborted === true) this.#controller.abort(signal.reason);
    }
  }
}
