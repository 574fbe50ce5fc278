import { SkillsError, type Clock, type ModelAdapter } from '@skillpack/core';

/** How often a model may be asked; at least one of the limits has to be given. */
export interface RateLimitOptions {
  /** Calls that begin in any minute. @default as many as there are */
  readonly requestsPerMinute?: number | undefined;
  /** Tokens, of requests and answers, in any minute. @default as many as there are */
  readonly tokensPerMinute?: number | undefined;
  /** Calls at the same time. @default as many as there are */
  readonly concurrency?: number | undefined;
  /** Tokens of a text, for what a call will take. @default `estimateTokens` */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** A model that is asked no more often than it may be; who comes first is served first. */
export function withRateLimit(
  model: ModelAdapter,
  _ports: { readonly clock: Clock },
  _options: RateLimitOptions,
): ModelAdapter {
  throw new SkillsError('INTERNAL', `${model.name} cannot be asked more slowly yet.`);
}
