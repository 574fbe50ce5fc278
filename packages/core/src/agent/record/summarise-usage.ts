import type { RunEvent } from '../run-event.js';

/** What a run asked of its model, child runs included. */
export interface UsageSummary {
  /** Calls that were answered, usable or not. */
  readonly answers: number;
  readonly failures: number;
  /** Answers that were no decision. */
  readonly rejected: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** Of `inputTokens`, those that providers keep from then on. @default 0 */
  readonly cacheWriteTokens?: number | undefined;
  /** Of `outputTokens`, those of reasoning. @default 0 */
  readonly reasoningTokens?: number | undefined;
  /** US dollars; absent where the cost of an answer is not known. */
  readonly cost?: number | undefined;
}

/** What the model calls of a record took. */
export function sumUsage(events: readonly RunEvent[]): UsageSummary {
  const answers = events.filter((event) => event.type === 'model_answered');
  const sum = (amount: (answer: (typeof answers)[number]) => number | undefined): number =>
    answers.reduce((total, answer) => total + (amount(answer) ?? 0), 0);
  const cacheWriteTokens = sum(({ usage }) => usage.cacheWriteTokens);
  const reasoningTokens = sum(({ usage }) => usage.reasoningTokens);
  return {
    answers: answers.length,
    failures: events.filter(({ type }) => type === 'model_failed').length,
    rejected: events.filter(({ type }) => type === 'decision_rejected').length,
    inputTokens: sum(({ usage }) => usage.inputTokens),
    outputTokens: sum(({ usage }) => usage.outputTokens),
    cachedInputTokens: sum(({ usage }) => usage.cachedInputTokens),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    ...(reasoningTokens > 0 && { reasoningTokens }),
    ...(answers.every(({ usage }) => usage.cost !== undefined) && { cost: sum(({ usage }) => usage.cost) }),
  };
}
