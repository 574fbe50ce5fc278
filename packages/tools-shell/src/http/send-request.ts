import { checkAborted, quoted, SkillsError, withoutCredentials } from '@skillpack/core';
import { httpFailure } from './http-failure.js';
import type { HttpLimits } from './http-limits.js';
import type { HttpRequest } from './http-request.js';
import { nextRequest, refused } from './next-request.js';
import { openExchange, type ExchangeProgress, type ExchangeRules, type HttpExchange } from './open-exchange.js';
import { readAnswer, type AnswerBody } from './read-answer.js';

/** What a server answered. */
export interface HttpAnswer extends AnswerBody {
  readonly method: string;
  /** What was asked for in the end, redirects followed. */
  readonly url: URL;
  readonly status: number;
  readonly headers: HttpExchange['headers'];
  /** How many were followed. */
  readonly redirects: number;
  /** Where it leads, when that was not followed since it is another host. */
  readonly elsewhere: URL | undefined;
}

/** How a request is sent, and what comes of it. */
export interface SendRules extends ExchangeRules {
  readonly otherHosts: boolean;
  readonly limits: HttpLimits;
}

const maxRedirects = 5;

/**
 * Sends a request, follows at most five redirects, each judged as the first URL was, and reads the answer.
 *
 * @throws `ADDRESS_REFUSED`, `REDIRECT_REFUSED`, `TIMEOUT`, `FILE_TOO_LARGE`, `NETWORK_ERROR`, and `INTERRUPTED` when the
 * signal is aborted. With `uncertain` in its data where the request may have been carried out.
 */
export async function sendRequest(request: HttpRequest, rules: SendRules, signal: AbortSignal): Promise<HttpAnswer> {
  const what = `${request.method} ${quoted(withoutCredentials(request.url.href))}`;
  const { timeout } = rules.limits;
  // Not by `AbortSignal.timeout` and `any`, which leave their end to the garbage collector.
  const either = new AbortController();
  const cancel = (): void => either.abort(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    either.abort();
  }, timeout);
  const progress: ExchangeProgress = { signal: either.signal, sent: false };
  try {
    checkAborted(signal, what);
    return await follow(request, rules, progress);
  } catch (error) {
    const failure = signal.aborted
      ? new SkillsError('INTERRUPTED', `${what} was cancelled.`, { cause: signal.reason })
      : late
        ? new SkillsError('TIMEOUT', `${what} took longer than ${timeout} ms.`, { cause: error, data: { timeout } })
        : httpFailure(error, what);
    throw progress.sent && !isSafe(request) ? uncertain(failure) : failure;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

async function follow(first: HttpRequest, rules: SendRules, progress: ExchangeProgress): Promise<HttpAnswer> {
  let request = first;
  for (let redirects = 0; ; redirects += 1) {
    const exchange = await openExchange(request, rules, progress);
    try {
      const { status, headers } = exchange;
      const next = nextRequest(request, { status, location: headers['location'] }, rules);
      if (next?.kind !== 'follow') {
        const { method, url } = request;
        const what = `${method} ${quoted(withoutCredentials(url.href))}`;
        const body = hasBody(method, status) ? await readAnswer(exchange, what, rules.limits) : noBody;
        return { method, url, status, headers, redirects, elsewhere: next?.url, ...body };
      }
      if (redirects === maxRedirects) throw refused(first.url, `leads on after ${maxRedirects} redirects`);
      ({ request } = next);
    } finally {
      await exchange.close();
    }
  }
}

const noBody: AnswerBody = { bytes: new Uint8Array(), coding: undefined };

/** Whether a body can follow, whatever length and coding the headers tell of (RFC 9110, 6.4.1). */
function hasBody(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304;
}

function isSafe({ method }: HttpRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function uncertain(failure: SkillsError): SkillsError {
  const { code, message, hint = '', data, cause } = failure;
  return new SkillsError(code, message, {
    hint: `It may have been carried out: look before you send it again. ${hint}`.trim(),
    data: { ...data, uncertain: true },
    cause,
  });
}
