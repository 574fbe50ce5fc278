import { estimateTokens, expectOptions, SkillsError, type Clock, type ModelAdapter } from '@skillpack/core';
import { checkNumbers } from './check-numbers.js';
import { estimateRequest } from './estimate-request.js';
import { RateGate } from './rate-gate.js';
import { wrapModel } from './wrap-model.js';

/** How often a model may be asked; at least one of the limits has to be given. */
export interface RateLimitOptions {
  /** Calls that begin in any minute. @default as many as there are */
  readonly requestsPerMinute?: number | undefined;
  /**
   * Tokens of the calls that begin in any minute: those of the request, by an estimate, until the answer says what the call
   * took. A call with more than that begins when no other one has in the last minute. @default as many as there are
   */
  readonly tokensPerMinute?: number | undefined;
  /** Calls at the same time. @default as many as there are */
  readonly concurrency?: number | undefined;
  /** Tokens of a text. @default `estimateTokens` */
  readonly countTokens?: ((text: string) => number) | undefined;
}

const optionNames: Readonly<Record<keyof RateLimitOptions, true>> = {
  requestsPerMinute: true,
  tokensPerMinute: true,
  concurrency: true,
  countTokens: true,
};

/**
 * A model that is asked no more often than it may be. Calls wait in the order in which they were made; one that is aborted
 * leaves the queue. One model with one limit may serve many runs.
 *
 * @throws `USAGE` for no limit, for numbers that cannot be, and for a clock that cannot wait. Its calls throw `INTERRUPTED`,
 * and what the model throws.
 */
export function withRateLimit(
  model: ModelAdapter,
  { clock }: { readonly clock: Clock },
  options: RateLimitOptions,
): ModelAdapter {
  expectOptions(options, { of: 'withRateLimit', names: optionNames });
  const { requestsPerMinute, tokensPerMinute, concurrency, countTokens = estimateTokens } = options;
  checkNumbers({ requestsPerMinute, tokensPerMinute, concurrency }, 1);
  if ([requestsPerMinute, tokensPerMinute, concurrency].every((limit) => limit === undefined)) {
    throw new SkillsError('USAGE', `There is no limit on the calls of ${model.name}.`, {
      hint: 'Give requestsPerMinute, tokensPerMinute or concurrency.',
    });
  }
  if (clock.pause === undefined && clock.startTimer === undefined) {
    throw new SkillsError('USAGE', 'The clock has neither pause nor startTimer: no call could wait for its turn.');
  }
  const gate = new RateGate(clock, {
    requestsPerMinute: requestsPerMinute ?? Infinity,
    tokensPerMinute: tokensPerMinute ?? Infinity,
    concurrency: concurrency ?? Infinity,
  });
  return wrapModel(model, async (request, decideOptions) => {
    const tokens = tokensPerMinute === undefined ? 0 : estimateRequest(request, countTokens);
    const pass = await gate.enter(tokens, decideOptions.signal);
    try {
      const answer = await model.decide(request, decideOptions);
      const { inputTokens, outputTokens } = answer.usage;
      const took = inputTokens + outputTokens;
      // Some servers do not say what a call took.
      if (inputTokens > 0 && took > 0 && took < Infinity) pass.took(took);
      return answer;
    } finally {
      pass.leave();
    }
  });
}
