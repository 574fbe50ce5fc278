import { SkillsError, type Clock, type ModelAdapter } from '@skillpack/core';

/** What {@link withRetry} waits by. */
export interface RetryPorts {
  readonly clock: Clock;
  /** A number from 0 to below 1, a new one each time. @default `Math.random` */
  readonly random?: (() => number) | undefined;
}

/** How often, and when, a model is asked again. */
export interface RetryOptions {
  /** How often it is asked at most, the first time included. @default 4 */
  readonly attempts?: number | undefined;
  /** Milliseconds of the first pause at most; of each one that follows, twice as many. @default 500 */
  readonly firstPause?: number | undefined;
  /** Milliseconds of any pause at most, also where a provider asks for more. @default 60000 */
  readonly longestPause?: number | undefined;
  /** Milliseconds after the first call began in which another one may begin. @default 180000 */
  readonly total?: number | undefined;
  /** Whether pieces of text are held back until the answer is whole; see `fallback`. @default false */
  readonly buffer?: boolean | undefined;
  /** Told before each pause, in milliseconds. @default nobody is told */
  readonly onRetry?:
    | ((event: { readonly attempt: number; readonly pause: number; readonly error: SkillsError }) => void)
    | undefined;
}

/** A model that is asked again when it could not be reached. */
export function withRetry(model: ModelAdapter, _ports: RetryPorts, _options: RetryOptions = {}): ModelAdapter {
  throw new SkillsError('INTERNAL', `${model.name} cannot be asked again yet.`);
}
