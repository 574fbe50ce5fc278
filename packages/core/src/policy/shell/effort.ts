import { UnreadableLine } from './unreadable-line.js';

/** How deep groups, and programs that start programs, may lie in each other. */
const deepest = 8;

/** How much work one line has been: lines in lines are counted into one sum, and that sum has a limit. */
export class Effort {
  readonly #limit: number;
  #steps = 0;
  #depth = 0;

  /** @param limit the most steps, in characters read and words handled */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Characters read and words handled so far. */
  get steps(): number {
    return this.#steps;
  }

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#limit) throw new UnreadableLine('It is too long to be read for sure.');
  }

  /** Does something one level deeper. */
  within<Result>(work: () => Result): Result {
    if (this.#depth >= deepest) throw new UnreadableLine('Too many commands lie in each other.');
    this.#depth += 1;
    const result = work();
    this.#depth -= 1;
    return result;
  }
}
