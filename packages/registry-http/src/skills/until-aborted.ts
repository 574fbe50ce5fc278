import { SkillsError } from '@skillpack/core';

/** @throws `INTERRUPTED` when the signal is aborted. */
export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw interrupted(signal);
}

/**
 * What it comes to, or `INTERRUPTED` once the signal is aborted; what comes of it afterwards is nobody's.
 *
 * @throws `INTERRUPTED`, and what it fails with.
 */
export async function untilAborted<Result>(result: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return result;
  if (signal.aborted) {
    result.catch(() => undefined);
    throw interrupted(signal);
  }
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(interrupted(signal));
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([result, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function interrupted(signal: AbortSignal): SkillsError {
  return new SkillsError('INTERRUPTED', 'It was cancelled.', { cause: signal.reason });
}
