/** The time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Starts a timer. With it, whoever does not stop at the end of its time, or when it is cancelled, is left behind.
   *
   * @param milliseconds at most 2147483647.
   * @default there are no timers: a request lasts as long as those whom it waits for
   */
  startTimer?(milliseconds: number): Timer;
  /**
   * Waits before something is tried again; less where the signal aborts. Never throws.
   *
   * @default by a timer of `startTimer`; where there is none, not at all
   */
  pause?(milliseconds: number, options: { readonly signal: AbortSignal }): Promise<void>;
}

/** A stretch of time that has begun. */
export interface Timer {
  /** Aborts when the time is over, never while `startTimer` is still at work. */
  readonly signal: AbortSignal;
  /** Ends the timer before its time; the signal does not abort any more. */
  clear(): void;
}
