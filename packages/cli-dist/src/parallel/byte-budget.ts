/** A part of a {@link ByteBudget} that somebody has. */
export interface ByteShare {
  /**
   * Makes it one of so many bytes. What is too much is given back at once. For more, all of it is given back and waited
   * for anew: so no two, of which each has what the other waits for, wait for ever.
   */
  resize(bytes: number): Promise<void>;
  /** Gives it back. To be called once, and nothing after it. */
  release(): void;
}

/** Keeps what is in memory at one time below a number of bytes; one piece that is larger alone is let through alone. */
export class ByteBudget {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #used = 0;

  /** @param limit in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits until there is room for so many bytes, and takes them. */
  async take(bytes: number): Promise<ByteShare> {
    let amount = Math.min(bytes, this.#limit);
    await this.#spend(amount);
    return {
      resize: async (wanted) => {
        const before = amount;
        amount = Math.min(wanted, this.#limit);
        this.#giveBack(before < amount ? before : before - amount);
        if (before < amount) await this.#spend(amount);
      },
      release: () => this.#giveBack(amount),
    };
  }

  async #spend(amount: number): Promise<void> {
    while (this.#used + amount > this.#limit) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#used += amount;
  }

  #giveBack(amount: number): void {
    this.#used -= amount;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
