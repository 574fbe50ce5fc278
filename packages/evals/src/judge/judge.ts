import type { JudgeSpent } from '../results/eval-result.js';

/** What a judge is asked: whether each statement holds for what an agent did. Everything in it but the statements is text from outside. */
export interface JudgeRequest {
  /** What the person said, all lines of it. */
  readonly task: readonly string[];
  readonly answer: string;
  /** Files that the agent left, as far as they are text, shortened. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly statements: readonly string[];
}

/** What a judge said, one verdict a statement, in their order. */
export interface JudgeAnswer {
  readonly verdicts: readonly { readonly passed: boolean; readonly evidence: string }[];
  readonly spent: JudgeSpent;
}

/** Says whether statements hold. */
export interface Judge {
  /** Who judges: `model:anthropic:claude-…`. Part of the key of a job, since another judge may say otherwise. */
  readonly name: string;
  /** @throws what keeps it from judging: the trial is then an `error`, and not scored. */
  judge(request: JudgeRequest, options: { readonly signal: AbortSignal }): Promise<JudgeAnswer>;
}
