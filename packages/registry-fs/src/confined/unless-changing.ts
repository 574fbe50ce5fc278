import { errnoOf } from '../errno.js';

const attempts = 8;

/** Tries again what met something that was changed meanwhile, a few times. @throws what the last attempt throws. */
export async function unlessChanging<Result>(attempt: () => Result): Promise<Result> {
  for (let left = attempts - 1; ; left -= 1) {
    try {
      return attempt();
    } catch (error) {
      if (left === 0 || !(error instanceof Error && 'code' in error) || errnoOf(error) !== 'ESTALE') throw error;
    }
    await new Promise((resume) => {
      setImmediate(resume);
    });
  }
}
