import { messageOf } from './message-of.js';
import { SkillsError } from './skills-error.js';

/**
 * Goes on where nobody has given up.
 *
 * @param what what is given up then, as the message calls it: `Reading the skills`.
 * @throws `INTERRUPTED` when the signal is aborted.
 */
export function checkAborted(signal: AbortSignal | undefined, what: string = 'It'): void {
  if (signal?.aborted === true) throw interrupted(signal, what);
}

/**
 * What `work` comes to, or `INTERRUPTED` once the signal is aborted, whether the work heeds the signal or not. What comes
 * of it afterwards is nobody's.
 *
 * @param what what is given up then, as the message calls it: `Reading the skills`.
 * @throws `INTERRUPTED`, and what `work` throws.
 */
export async function untilAborted<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal | undefined,
  what: string = 'It',
): Promise<Result> {
  checkAborted(signal, what);
  if (signal === undefined) return work();
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(interrupted(signal, what));
    signal.addEventListener('abort', abort, { once: true });
    work()
      .then(resolve, (error: unknown) => {
        reject(signal.aborted ? interrupted(signal, what) : asError(error));
      })
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

function interrupted(signal: AbortSignal, what: string): SkillsError {
  return new SkillsError('INTERRUPTED', `${what} was cancelled.`, { cause: signal.reason });
}

function asError(error: unknown): Error {
  try {
    if (error instanceof Error) return error;
  } catch {
    // Some proxies cannot even be asked what they are.
  }
  return new Error(messageOf(error), { cause: error });
}
