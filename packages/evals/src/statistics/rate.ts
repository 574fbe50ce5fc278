/** A share of something, with what is known of it. */
export interface Rate {
  readonly successes: number;
  readonly total: number;
  /** 0 to 1; `undefined` where there was nothing to count, which is neither 0 nor 1. */
  readonly value: number | undefined;
  /**
   * The interval of Wilson (1927) at 95 %, where several trials of a case count, over as many as they are worth; `undefined`
   * as `value` is.
   */
  readonly interval: Interval | undefined;
}

/** Where a value lies, at 95 % unless stated otherwise. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}
