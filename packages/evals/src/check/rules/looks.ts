import { TooManyWays } from './bindings.js';
import type { RuleStep } from './rule-step.js';

/** Steps and arguments that are compared with a pattern, each time that they are: a second or two. */
const mostLooks = 500_000;

/** Counts how often the steps of a run are gone through for one rule: each value of a variable goes through them anew. */
export class Looks {
  readonly #once: number;
  #left = mostLooks;

  constructor(steps: readonly RuleStep[]) {
    this.#once = steps.reduce((sum, { whole }) => sum + 1 + (whole.args?.length ?? 0), 0);
  }

  /** They are gone through so often. @throws `TooManyWays`. */
  through(times: number): void {
    this.#left -= times * this.#once;
    if (this.#left < 0) throw new TooManyWays('With all that its variables can stand for, it takes too long to tell.');
  }
}
