import { SkillsError } from '@skillpack/core';

/** @throws `INTERRUPTED` when the signal is aborted. */
export function checkSignal(signal: AbortSignal): void {
  if (signal.aborted) throw interrupted(signal);
}

/**
 * What `work` comes to, or `INTERRUPTED` once the signal is aborted, whether the work heeds the signal or not.
 *
 * @throws `INTERRUPTED`, and what `work` throws.
 */
export async function unlessAborted<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  checkSignal(signal);
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(interrupted(signal));
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function interrupted(signal: AbortSignal): SkillsError {
  return new SkillsError('INTERRUPTED', 'The call of the model was cancelled.', { cause: signal.reason });
}
