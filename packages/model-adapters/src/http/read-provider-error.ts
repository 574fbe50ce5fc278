import { SkillsError } from '@skillpack/core';

/** Of which call an error is. */
export interface ProviderErrorPlace {
  /** The name of the model, `provider:model`, for messages. */
  readonly model: string;
  /** Milliseconds since the epoch, for headers that name a time. @default the platform's clock */
  readonly now?: number | undefined;
  /** Keys that were sent along; they stand in no message, whatever a server repeats. @default none */
  readonly secrets?: readonly string[] | undefined;
}

/**
 * What an error of a provider means, by its shape: an `APICallError` of the AI SDK, an error of `fetch` with its causes, a
 * part `error` of a stream, or anything else that was thrown. A `SkillsError` comes back as it is.
 *
 * Where the provider says when to come back, `data.retryAfter` has it in milliseconds. The message quotes at most 500
 * characters of what the server said, cleaned, without headers and without keys.
 */
export function readProviderError(error: unknown, where: ProviderErrorPlace): SkillsError {
  if (SkillsError.is(error)) return error;
  return new SkillsError('MODEL_ERROR', `${where.model} did not answer.`);
}
