/**
 * What is allowed, each a share from 0 to 1 and held by every model in the arm `with_skill`, or in every arm where that was
 * not run. A measure that is undefined holds no threshold.
 */
export interface EvalThresholds {
  /**
   * Of trials that were scored, those that pass. Where a threshold of triggers is given, cases of the kind `trigger` count
   * in that instead.
   *
   * @default 1
   */
  readonly minPassRate?: number | undefined;
  /**
   * The same for cases that are compared with a baseline: those that have trials which were scored in both. All others are held to
   * `minPassRate`, as without a baseline.
   *
   * @default minPassRate
   */
  readonly minPassRateCompared?: number | undefined;
  readonly minPrecision?: number | undefined;
  readonly minRecall?: number | undefined;
  readonly minSpecificity?: number | undefined;
  readonly minF1?: number | undefined;
  /** Of the trials of each model and arm, those that could be scored; with fewer, everything is `invalid`. @default 0.5 */
  readonly minScored?: number | undefined;
  /** Of the trials of each model and arm, those that are an `error`; with more, everything is `invalid`. @default 0.2 */
  readonly maxErrors?: number | undefined;
}
