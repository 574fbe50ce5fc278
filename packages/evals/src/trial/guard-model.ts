import { SkillsError, type ModelAdapter } from '@skillpack/core';
import type { TrialWatch } from './trial-watch.js';

/** What is known of the calls of a model, for telling a model that hangs from an agent that is slow. */
export interface CallTimes {
  /** Calls that were answered. */
  readonly answered: number;
  /** Milliseconds since the first call after the last answer; 0 where each call was answered. */
  waited(): number;
}

/** A model that is not asked once the trial is over, and whose calls are timed. */
export function guardModel(
  model: ModelAdapter,
  watch: Pick<TrialWatch, 'end'>,
  now: () => number,
): { readonly model: ModelAdapter; readonly times: CallTimes } {
  let answered = 0;
  // Also of one that does not stop when it is told to, and is left behind.
  let unansweredSince: number | undefined;
  const { name, contextTokens, nativeTools, costOf } = model;
  const decide: ModelAdapter['decide'] = async (request, options) => {
    if (watch.end !== undefined) throw new SkillsError('INTERRUPTED', 'The trial is over.');
    unansweredSince ??= now();
    const answer = await model.decide(request, options);
    answered += 1;
    unansweredSince = undefined;
    return answer;
  };
  const times: CallTimes = {
    get answered() {
      return answered;
    },
    waited: () => (unansweredSince === undefined ? 0 : now() - unansweredSince),
  };
  return {
    times,
    model: {
      name,
      contextTokens,
      ...(nativeTools !== undefined && { nativeTools }),
      ...(costOf !== undefined && { costOf: (usage) => model.costOf?.(usage) }),
      decide,
    },
  };
}
