/**
 * Something that is wrong with what measures, or with a case.
 *
 * - `not_offered`: a case wants a skill that it does not offer, or forbids one: no model can do it, or fail it;
 * - `recall`, `specificity`: a model that always or never chooses comes to another number than 1 or 0;
 * - `dead_scored`: a model that never answers got a score;
 * - `body_shown`: a model was told from the text of a skill before it chose;
 * - `lost`: a trial has no result, or two.
 */
export interface SelfTestFinding {
  readonly kind: 'not_offered' | 'recall' | 'specificity' | 'dead_scored' | 'body_shown' | 'lost';
  /** In a sentence. */
  readonly message: string;
  /** @default it is about all of them */
  readonly suite?: string | undefined;
  readonly case?: string | undefined;
}

/** What a self-test came to. */
export interface SelfTestReport {
  /** Whether there is no finding. */
  readonly passed: boolean;
  readonly findings: readonly SelfTestFinding[];
  /** How many cases of the kind `trigger` were tried; with 0, it says nothing. */
  readonly cases: number;
}
