import { messageOf } from '../errors/message-of.js';
import { SkillsError } from '../errors/skills-error.js';

/** @throws `INTERRUPTED` when the signal is aborted. */
export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw interrupted(signal);
}

/**
 * What `work` comes to, or `INTERRUPTED` once the signal is aborted, whether the work heeds the signal or not.
 *
 * @throws `INTERRUPTED`, and what `work` throws.
 */
export async function untilAborted<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  checkAborted(signal);
  if (signal === undefined) return work();
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(interrupted(signal));
    signal.addEventListener('abort', abort, { once: true });
    work()
      .then(resolve, (error: unknown) => {
        reject(signal.aborted ? interrupted(signal) : asError(error));
      })
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

function interrupted(signal: AbortSignal): SkillsError {
  return new SkillsError('INTERRUPTED', 'Reading the skills was cancelled.', { cause: signal.reason });
}

function asError(error: unknown): Error {
  try {
    if (error instanceof Error) return error;
  } catch {
    // Some proxies cannot even be asked what they are.
  }
  return new Error(messageOf(error), { cause: error });
}
