import { checkAborted, expectOptions, SkillsError, type Clock, type ModelAdapter } from '@skillpack/core';
import { checkNumbers } from './check-numbers.js';
import { holdPieces } from './held-pieces.js';
import { pauseFor } from './pause-for.js';
import { wrapModel } from './wrap-model.js';

/** What {@link withRetry} waits by. */
export interface RetryPorts {
  /** Without `pause` and `startTimer` nobody waits. */
  readonly clock: Clock;
  /** A number from 0 to below 1, a new one each time. @default `Math.random` */
  readonly random?: (() => number) | undefined;
}

/** How often, and when, a model is asked again. */
export interface RetryOptions {
  /** How often it is asked at most, the first time included. @default 4 */
  readonly attempts?: number | undefined;
  /** Milliseconds of the first pause at most; each one that follows may take twice as long. @default 500 */
  readonly firstPause?: number | undefined;
  /** Milliseconds of any pause at most, also where a provider asks for more. @default 60000 */
  readonly longestPause?: number | undefined;
  /** Milliseconds after the beginning of the call within which the last attempt has to begin. @default 180000 */
  readonly total?: number | undefined;
  /** Whether pieces are held back until the answer is whole; see `FallbackOptions.buffer`. @default false */
  readonly buffer?: boolean | undefined;
  /** Told before each pause. @default nobody is told */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}

const optionNames: Readonly<Record<keyof RetryOptions, true>> = {
  attempts: true,
  firstPause: true,
  longestPause: true,
  total: true,
  buffer: true,
  onRetry: true,
};

/** That a model is asked again. */
export interface RetryEvent {
  /** How many attempts have failed, from 1. */
  readonly failed: number;
  /** Milliseconds until the next one. */
  readonly pause: number;
  readonly error: SkillsError;
}

/**
 * A model that is asked again when it could not be reached, was asked too often or is overloaded: after a random part of a
 * time that doubles from attempt to attempt, and not before the provider wants to be asked again. Any other error is that of
 * the call; so is one after pieces were told, unless they are held back.
 *
 * @throws `USAGE` for numbers that cannot be. Its calls throw the error of the last attempt; `INTERRUPTED`, which ends a
 * pause, too.
 */
export function withRetry(model: ModelAdapter, ports: RetryPorts, options: RetryOptions = {}): ModelAdapter {
  expectOptions(options, { of: 'withRetry', names: optionNames });
  const { attempts = 4, firstPause = 500, longestPause = 60_000, total = 180_000, buffer = false, onRetry } = options;
  const { clock, random = Math.random } = ports;
  checkNumbers({ attempts }, 1);
  checkNumbers({ firstPause, longestPause, total }, 0);
  return wrapModel(model, async (request, decideOptions) => {
    const { signal } = decideOptions;
    const begun = clock.now();
    for (let failed = 1; ; failed += 1) {
      const pieces = holdPieces(decideOptions, { buffer });
      try {
        const answer = await model.decide(request, pieces.options);
        pieces.release();
        checkAborted(signal, 'The call of the model');
        return answer;
      } catch (error) {
        pieces.drop();
        checkAborted(signal, 'The call of the model');
        if (!SkillsError.isKind(error, 'unavailable') || pieces.told || failed >= attempts) throw error;
        const grown = random() * Math.min(longestPause, firstPause * 2 ** (failed - 1));
        const pause = Math.ceil(Math.min(longestPause, Math.max(grown, retryAfterOf(error))));
        if (clock.now() + pause - begun > total) throw error;
        onRetry?.({ failed, pause, error });
        await pauseFor(clock, pause, signal);
        checkAborted(signal, 'The call of the model');
      }
    }
  });
}

function retryAfterOf({ data }: SkillsError): number {
  const { retryAfter } = data;
  return typeof retryAfter === 'number' && retryAfter > 0 ? retryAfter : 0;
}
