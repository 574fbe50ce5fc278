import { checkAborted, untilAborted } from '@skillpack/core';

interface Running<Result> {
  readonly stop: AbortController;
  readonly result: Promise<Result>;
  waiting: number;
}

/** Work that is done once however many ask for it, and goes on as long as one of them waits. */
export class SharedWork<Result> {
  readonly #running = new Map<string, Running<Result>>();

  /**
   * Takes part in the work under a key, or begins it.
   *
   * @throws `INTERRUPTED` when the caller's own signal is aborted, and what the work throws.
   */
  async join(
    key: string,
    begin: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    checkAborted(signal);
    const running = this.#running.get(key) ?? this.#begin(key, begin);
    running.waiting += 1;
    try {
      return await untilAborted(async () => running.result, signal);
    } finally {
      running.waiting -= 1;
      if (running.waiting === 0) {
        if (this.#running.get(key) === running) this.#running.delete(key);
        // Nothing happens to what has ended.
        running.stop.abort(signal?.reason);
      }
    }
  }

  #begin(key: string, begin: (signal: AbortSignal) => Promise<Result>): Running<Result> {
    const stop = new AbortController();
    const result = begin(stop.signal);
    const running = { stop, result, waiting: 0 };
    this.#running.set(key, running);
    return running;
  }
}
