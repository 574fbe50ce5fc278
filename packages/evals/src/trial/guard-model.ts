import { SkillsError, type ModelAdapter } from '@skillpack/core';
import type { TrialWatch } from './trial-watch.js';

/** What calls of a model took, for telling a model that hangs from an agent that is slow. */
export interface CallTimes {
  /** Calls that were answered. */
  answered: number;
  /** Milliseconds that the last call took without being answered; 0 where it was. */
  waited: number;
}

/** A model that is not asked once the trial is over, and whose calls are timed. */
export function guardModel(
  model: ModelAdapter,
  watch: Pick<TrialWatch, 'end'>,
  now: () => number,
): { readonly model: ModelAdapter; readonly times: Readonly<CallTimes> } {
  const times: CallTimes = { answered: 0, waited: 0 };
  const { name, contextTokens, nativeTools, costOf } = model;
  const decide: ModelAdapter['decide'] = async (request, options) => {
    if (watch.end !== undefined) throw new SkillsError('INTERRUPTED', 'The trial is over.');
    const begun = now();
    try {
      const answer = await model.decide(request, options);
      times.answered += 1;
      times.waited = 0;
      return answer;
    } catch (error) {
      times.waited = now() - begun;
      throw error;
    }
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
