import { checkAborted, SkillsError, type DecideOptions, type ModelAnswer } from '@skillpack/core';
import { chunkText, type ChunkOptions } from '../scripted/chunk-text.js';
import type { CassetteCall } from './cassette-line-schema.js';
import type { TextForm } from './normalise-text.js';

/** How a recorded call is replayed. */
export interface ReplayCallOptions {
  readonly form: TextForm;
  readonly chunks: ChunkOptions | undefined;
}

/**
 * What was recorded of a call, once more: its reasoning and its text in pieces, or its error.
 *
 * @throws `INTERRUPTED`, and the error that was recorded.
 */
export function replayCall(
  call: CassetteCall,
  options: DecideOptions,
  { form, chunks }: ReplayCallOptions,
): ModelAnswer {
  if (call.kind === 'error') {
    const { code, message, hint, retryAfter } = call.error;
    throw new SkillsError(code, form.replay(message, 'plain'), {
      hint: hint === undefined ? undefined : form.replay(hint, 'plain'),
      data: retryAfter === undefined ? {} : { retryAfter },
    });
  }
  const { text, reasoning, usage, finish } = call.answer;
  const told = {
    text: form.replay(text, 'json'),
    reasoning: reasoning === undefined ? undefined : form.replay(reasoning, 'plain'),
  };
  const { signal, onText, onReasoning } = options;
  for (const [pieces, tell] of [
    [chunkText(told.reasoning ?? '', chunks), onReasoning],
    [chunkText(told.text, chunks), onText],
  ] as const) {
    for (const piece of pieces) {
      checkAborted(signal, 'The call of the model');
      tell?.(piece);
    }
  }
  checkAborted(signal, 'The call of the model');
  return { text: told.text, usage, finish, ...(told.reasoning === undefined ? {} : { reasoning: told.reasoning }) };
}
