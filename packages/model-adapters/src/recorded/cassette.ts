/**
 * Where model calls are kept: a text of lines. What is in them, only {@link recorded} knows; a cassette keeps them.
 */
export interface Cassette {
  /** What messages call it, such as its path. */
  readonly name: string;
  /**
   * All that it holds; `undefined` where nothing was ever recorded.
   *
   * @throws `FILE_TOO_LARGE`, `IO_ERROR`.
   */
  load(): Promise<string | undefined>;
  /**
   * Begins to write. `anew`: what it holds stays as it is until `commit` puts the new lines in its place. `extend`: lines
   * are added to what it holds, each at once, whoever else does so at the same time.
   *
   * @throws `IO_ERROR`.
   */
  write(how: 'anew' | 'extend'): Promise<CassetteWriter>;
}

/** Lines on their way into a cassette. */
export interface CassetteWriter {
  /** Adds lines, each ended by a line feed: all of them or none. @throws `IO_ERROR`. */
  append(lines: string): Promise<void>;
  /** Ends the writing; what was written is what the cassette holds. @throws `IO_ERROR`. */
  commit(): Promise<void>;
  /** Ends the writing. Of `anew`, nothing stays of it. */
  discard(): Promise<void>;
}
