import { SkillsError, visibleText, withoutCredentials } from '@skillpack/core';
import type { ProviderFetch } from './provider-fetch.js';

/** What a server may answer. */
export interface FetchGuard {
  /** The name of the model, for messages. */
  readonly model: string;
  /** Bytes of a whole answer. A line of a stream has no more than 4 MiB of it. @default 33554432 */
  readonly maxBytes?: number | undefined;
  /** Takes secrets out of what the server says. */
  readonly clean: (text: string) => string;
}

/** Bytes of the answer to a request that was refused: what it says stands at its beginning. */
const refusalBytes = 65_536;

/**
 * A `fetch` for a server that nobody vouches for. A redirect is not followed: the key and the request would go to where
 * nobody meant them to. An answer that is too large, or a line of a stream that is, ends with `MODEL_ERROR`, and the
 * connection is closed; of the answer to a refused request the rest is left out. A page for people is `MODEL_ERROR`.
 *
 * @param fetch @default the platform's, looked up at each call
 */
export function guardFetch(fetch: ProviderFetch | undefined, guard: FetchGuard): ProviderFetch {
  return async (input, init) => {
    const response = await (fetch ?? globalThis.fetch)(input, { ...init, redirect: 'manual' });
    await checkRedirect(response, { ...guard, url: urlOf(input) });
    if (!response.ok) return withBody(response, firstBytes(refusalBytes));
    await checkContent(response, init, { ...guard, url: urlOf(input) });
    return withBody(response, countBytes(guard, isStream(response)));
  };
}

interface AnswerGuard extends FetchGuard {
  /** What was asked. */
  readonly url: URL;
}

function urlOf(input: string | URL | Request): URL {
  return new URL(input instanceof Request ? input.url : input);
}

async function checkRedirect(response: Response, { model, url, clean }: AnswerGuard): Promise<void> {
  // A browser does not say where it would lead to.
  const redirects = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
  if (!redirects) return;
  await response.body?.cancel();
  const location = withoutCredentials(clean(response.headers.get('location') ?? '').slice(0, 2000));
  const where = location === '' ? 'elsewhere' : `to ${visibleText(location)}`;
  throw new SkillsError(
    'REDIRECT_REFUSED',
    `The model ${model} gave no answer: ${url.host} redirects ${where}, which is not followed.`,
    { hint: 'If you trust the other address, make it the base URL.', data: { model, status: response.status } },
  );
}

/** Refuses what is no answer of a model by its kind: a page for people, and no stream where one was asked for. */
async function checkContent(response: Response, init: RequestInit | undefined, guard: AnswerGuard): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (/^\s*text\/html/iu.test(type)) {
    await response.body?.cancel();
    throw answered(guard, 'a page for people', 'Check the base URL: it ends before the endpoint, often in /v1.');
  }
  if (!/^\s*application\/(?:[\w.-]+\+)?json/iu.test(type) || !asksForStream(init?.body)) return;
  const text = await new Response(response.body?.pipeThrough(firstBytes(refusalBytes)) ?? null).text();
  if (/"error"\s*:\s*[{"]/u.test(text)) {
    // In the shape of the AI SDK's APICallError, so that it is read like every other refusal.
    const shape = { url: guard.url.href, requestBodyValues: undefined, responseBody: text };
    throw Object.assign(new Error('An error with the status 200.'), shape);
  }
  throw answered(guard, 'no stream, where one was asked for', 'Set `stream` to false for this server.');
}

/** Whether the body of a request, JSON without blanks, asks for a stream: within a text its quotes would be escaped. */
function asksForStream(body: unknown): boolean {
  return typeof body === 'string' && body.includes('"stream":true');
}

function answered({ model, url }: AnswerGuard, what: string, hint: string): SkillsError {
  return new SkillsError('MODEL_ERROR', `The model ${model} gave no answer: ${url.host} sent ${what}.`, {
    hint,
    data: { model },
  });
}

function isStream(response: Response): boolean {
  return /^\s*text\/event-stream/iu.test(response.headers.get('content-type') ?? '');
}

type ByteFilter = TransformStream<Uint8Array, Uint8Array>;

function withBody(response: Response, filter: ByteFilter): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  // A filter of bytes takes and gives what a body has.
  const body = response.body.pipeThrough(filter as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array>);
  return new Response(body, { status, statusText, headers });
}

/** Lets so many bytes through, and ends there. */
function firstBytes(count: number): ByteFilter {
  let left = count;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}

const lineFeed = 10;
const carriageReturn = 13;

const lineLimit = 4_194_304;

function countBytes({ model, maxBytes = 33_554_432 }: FetchGuard, lines: boolean): ByteFilter {
  let bytes = 0;
  let lineBytes = 0;
  let last: number | undefined;
  const check = (what: string, count: number, limit: number): void => {
    if (count <= limit) return;
    throw new SkillsError(
      'MODEL_ERROR',
      `The model ${model} sent ${what} of more than ${limit} bytes; nothing of it counts.`,
      {
        hint: 'Set `maxOutputTokens`, or a larger limit if such an answer is meant.',
        data: { model, limit },
      },
    );
  };
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      check('an answer', bytes, maxBytes);
      if (lines) {
        const end = Math.max(chunk.lastIndexOf(lineFeed), chunk.lastIndexOf(carriageReturn));
        lineBytes = end === -1 ? lineBytes + chunk.length : chunk.length - end - 1;
        check('a line', lineBytes, lineLimit);
      }
      last = chunk.at(-1) ?? last;
      controller.enqueue(chunk);
    },
    flush(controller) {
      // Behind a CR a reader waits for the LF that may follow, and would leave out the last event.
      if (lines && last === carriageReturn) controller.enqueue(Uint8Array.of(lineFeed));
    },
  });
}
