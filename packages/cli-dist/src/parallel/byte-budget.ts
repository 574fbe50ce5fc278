/** Keeps what is in memory at one time below a number of bytes; one piece that is larger alone is let through alone. */
export class ByteBudget {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Does `work` when there is room for `bytes`. */
  async spend<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    const amount = Math.min(bytes, this.#limit);
    while (this.#used + amount > this.#limit) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#used += amount;
    try {
      return await work();
    } finally {
      this.#used -= amount;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }
}
