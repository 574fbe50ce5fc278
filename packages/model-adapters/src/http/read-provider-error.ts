import { quoted, SkillsError, visibleText } from '@skillpack/core';
import { type ErrorLink, errorChain, textOf } from './error-chain.js';
import { judgeFailure } from './judge-failure.js';
import { makeCleaner } from './make-cleaner.js';
import { type ProviderFailure, readFailure } from './provider-failure.js';
import { readRetryAfter } from './read-retry-after.js';

/** Of which call an error is. */
export interface ProviderErrorPlace {
  /** The name of the model, `provider:model`, for messages. */
  readonly model: string;
  /** Milliseconds since the epoch, for headers that name a time. @default the platform's clock */
  readonly now?: number | undefined;
  /** Keys that were sent along; they stand in no message, whatever a server repeats. @default none */
  readonly secrets?: readonly string[] | undefined;
}

/** Characters of what a server says that a message quotes. */
const quotedLength = 500;

/**
 * What an error of a provider means, by its shape: an `APICallError` of the AI SDK, an error of `fetch` with its causes, a
 * part `error` of a stream, or anything else that was thrown. A `SkillsError` comes back as it is, also one that led to
 * another error.
 *
 * Where the provider says when to come back, `data.retryAfter` has it in milliseconds; `data.status` is the status of
 * HTTP, `data.reason` the provider's own word. The message quotes at most 500 characters of what the server said, cleaned,
 * without headers and keys; so does the cause, which holds nothing of the request.
 */
export function readProviderError(error: unknown, where: ProviderErrorPlace): SkillsError {
  if (SkillsError.is(error)) return error;
  const { chain, failure } = read(error);
  const foreseen = chain.find((link) => SkillsError.is(link));
  if (SkillsError.is(foreseen)) return foreseen;
  const { code, says, hint } = judgeFailure(failure);
  const { secrets = [] } = where;
  // Words of a provider are read in lower case, whatever stands in their place.
  const clean = makeCleaner([...new Set(secrets.flatMap((secret) => [secret, secret.toLowerCase()]))]);
  const waits = code === 'RATE_LIMITED' || code === 'OVERLOADED' || code === 'MODEL_ERROR' || code === 'TIMEOUT';
  const retryAfter = waits
    ? readRetryAfter(failure.headers, { now: where.now ?? Date.now(), limited: code === 'RATE_LIMITED' })
    : undefined;
  const message = clean(failure.message);
  const reason = reasonOf(failure, clean);
  return new SkillsError(code, sentenceOf({ ...where, failure, says, message }), {
    hint: retryAfter === undefined ? hint : `It is to be asked again in ${inSeconds(retryAfter)}. ${hint}`,
    cause: plainCause(chain, clean),
    data: {
      model: where.model,
      ...(failure.status === undefined ? {} : { status: failure.status }),
      ...(failure.url === undefined ? {} : { host: failure.url.host }),
      ...(reason === undefined ? {} : { reason }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
  });
}

interface ReadError {
  readonly chain: readonly ErrorLink[];
  readonly failure: ProviderFailure;
}

function read(error: unknown): ReadError {
  try {
    const chain = errorChain(error);
    return { chain, failure: readFailure(chain, error) };
  } catch {
    // Foreign code throws what it likes: objects that cannot even be asked.
    return { chain: [], failure: readFailure([], undefined) };
  }
}

interface Sentence {
  readonly model: string;
  readonly failure: ProviderFailure;
  readonly says: string;
  readonly message: string;
}

function sentenceOf({ model, failure, says, message }: Sentence): string {
  const subject = failure.url?.host ?? 'its provider';
  const told = message === '' ? '.' : `: ${quoted(message, quotedLength)}`;
  return `The model ${visibleText(model)} gave no answer: ${visibleText(subject)} ${says}${told}`;
}

function inSeconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${Math.ceil(milliseconds / 1000)} s`;
}

/** The provider's own word for it: its code, else its type. */
function reasonOf({ words, codes }: ProviderFailure, clean: (text: string) => string): string | undefined {
  const told =
    words.findLast((word) => /^[a-z]\w{0,63}$/u.test(word)) ?? codes.find((code) => /^\w{1,64}$/u.test(code));
  return told === undefined ? undefined : clean(told);
}

/** What led to it, without what only programs want: the request with its prompt, headers, and whole bodies. */
function plainCause(chain: readonly ErrorLink[], clean: (text: string) => string): Error | undefined {
  return chain.reduceRight<Error | undefined>((cause, link) => {
    const text = clean(textOf(link, 'message')).slice(0, quotedLength);
    const plain = new Error(visibleText(text), cause === undefined ? undefined : { cause });
    plain.name = visibleText(clean(textOf(link, 'name').slice(0, 100))) || 'Error';
    const code = textOf(link, 'code');
    return /^\w{1,64}$/u.test(code) ? Object.assign(plain, { code: clean(code) }) : plain;
  }, undefined);
}
