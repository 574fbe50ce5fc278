import { SkillsError } from '@skillpack/core';

/** What a port threw, as an error with a code: ports come from anywhere. What ends by a cancel was cancelled. */
export function asSkillsError(thrown: unknown, signal: AbortSignal): SkillsError {
  if (SkillsError.is(thrown, 'BUDGET_EXHAUSTED')) return thrown;
  if (signal.aborted) return new SkillsError('INTERRUPTED', 'The trial was cancelled.', { cause: thrown });
  if (SkillsError.is(thrown)) return thrown;
  return new SkillsError('INTERNAL', `The trial broke off: ${messageOf(thrown)}.`, { cause: thrown });
}

function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    // Some values cannot even be told.
    return 'something was thrown that cannot be told';
  }
}
