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
  /** US dollars, as far as they are known. */
  readonly cost: number;
}

/** What the model calls of a record took. */
export function sumUsage(events: readonly RunEvent[]): UsageSummary {
  const answers = events.filter((event) => event.type === 'model_answered');
  const sum = (amount: (answer: (typeof answers)[number]) => number | undefined): number =>
    answers.reduce((total, answer) => total + (amount(answer) ?? 0), 0);
  return {
    answers: answers.length,
    failures: events.filter(({ type }) => type === 'model_failed').length,
    rejected: events.filter(({ type }) => type === 'decision_rejected').length,
    inputTokens: sum(({ usage }) => usage.inputTokens),
    outputTokens: sum(({ usage }) => usage.outputTokens),
    cachedInputTokens: sum(({ usage }) => usage.cachedInputTokens),
    cost: sum(({ usage }) => usage.cost),
  };
}
