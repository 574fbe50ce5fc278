/** What watching takes from its surroundings. */
export interface WatchPorts {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Milliseconds since 1970. @default Date.now */
  readonly time?: (() => number) | undefined;
  /**
   * Calls something after a number of milliseconds, once, unless what it returns is called before.
   *
   * @default a timer for which no process is kept from ending
   */
  readonly after?: ((milliseconds: number, call: () => void) => () => void) | undefined;
}
