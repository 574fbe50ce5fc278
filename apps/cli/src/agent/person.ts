/** Somebody at a terminal. */
export interface Person {
  /**
   * Asks a question, and waits for a line.
   *
   * @returns the line, without spaces around it; `undefined` when there will be none.
   * @throws `INTERRUPTED`.
   */
  ask(question: string, options: { readonly signal?: AbortSignal | undefined }): Promise<string | undefined>;
}
