import { checkAborted, untilAborted } from '@skillpack/core';

/** So many pieces of work at a time; the others wait in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Does the work when there is room for it. Whoever is cancelled goes, and makes room, though the work may not heed it.
   *
   * @throws `INTERRUPTED` when the signal is aborted, and what the work throws.
   */
  async take<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    checkAborted(signal);
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    try {
      return await untilAborted(work, signal);
    } finally {
      this.#leave();
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    try {
      await untilAborted(async () => promise, signal);
    } catch (error) {
      // Who was called already, in the same moment, hands the place on.
      if (!this.#waiting.delete(resolve)) this.#leave();
      throw error;
    }
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
