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
}
