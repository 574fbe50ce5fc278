/** How results are compared. */
export interface CompareOptions {
  /** How often a change may be seen where there is none, over all measures together; above 0, below 1. @default 0.05 */
  readonly alpha?: number | undefined;
  /** How often a difference of the margin is to be seen where there is one: what `needed` goes by. @default 0.8 */
  readonly power?: number | undefined;
  /** A difference that does not matter; above 0, below 1. @default 0.05 */
  readonly margin?: number | undefined;
  /** Of the bootstrap: a whole number from 0. @default 1 */
  readonly seed?: number | undefined;
  /**
   * Whether a model answers the same each time, by its name, such as one that plays scripts or recordings. A case that it
   * passed in all trials of the baseline and fails now is `worse`, however few there are: no chance is in that. What a judge
   * alone says is no such failure.
   *
   * @default none does
   */
  readonly deterministic?: ((model: string) => boolean) | undefined;
}
