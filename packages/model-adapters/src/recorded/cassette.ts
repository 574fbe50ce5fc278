/** Where model calls are kept: a text of lines. What the lines say is the matter of `recorded`; a cassette keeps them. */
export interface Cassette {
  /** What messages call it, such as its path. */
  readonly name: string;
  /**
   * All that it holds; `undefined` where nothing was ever recorded.
   *
   * @throws `FILE_TOO_LARGE`, `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`.
   */
  load(): Promise<string | undefined>;
  /**
   * Begins to write. `anew`: what it holds stays as it is until `commit` puts the new lines in its place. `extend`: lines
   * are added to what it holds as soon as they are there, whoever else adds some at the same time.
   *
   * @param first the line that a cassette begins with: written first, unless an old one is extended.
   * @throws `INVALID_CASSETTE` where the end of an old one is cut off; `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`.
   */
  write(how: 'anew' | 'extend', first: string): Promise<CassetteWriter>;
}

/** Lines on their way into a cassette. */
export interface CassetteWriter {
  /**
   * Adds lines, each ended by a line feed.
   *
   * @throws `INVALID_CASSETTE` as `write` does; `FILE_TOO_LARGE` for what nobody could load; `IO_ERROR`.
   */
  append(lines: string): Promise<void>;
  /** Ends the writing; what was written is what the cassette holds. @throws `IO_ERROR`: then it holds what it held. */
  commit(): Promise<void>;
  /** Ends the writing. Of `anew`, nothing stays of it. */
  discard(): Promise<void>;
}
