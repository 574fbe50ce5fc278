import { SkillsError } from '@skillpack/core';
import type { EvalChoice } from './read-eval-flags.js';

/** Whether a model costs nothing: it plays what was written, or what was recorded. */
export function isFree(model: string): boolean {
  return /^(?:scripted|recorded)(?::|$)/u.test(model);
}

/**
 * Refuses models that may cost something where nobody has said how much.
 *
 * @throws `USAGE`.
 */
export function refuseWithoutBudget(models: readonly string[], { cost, calls }: EvalChoice['budget']): void {
  const [first] = models.filter((model) => !isFree(model));
  if (first === undefined || cost !== undefined || calls !== undefined) return;
  throw new SkillsError('USAGE', `${first} may cost something, and nobody has said how much.`, {
    hint: 'Nothing was asked. Say --budget 2 for two US dollars in all, or --max-calls 500; a call that does not fit is not made.',
    data: { models },
  });
}
