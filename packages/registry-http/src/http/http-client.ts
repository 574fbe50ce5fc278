import { SkillsError, visibleText, withoutCredentials } from '@skillpack/core';
import { describeRequest, failureOf } from './http-failure.js';
import { defaultTimeouts, type HttpOptions, type HttpTimeouts } from './http-options.js';
import type { HttpPorts } from './http-ports.js';
import { createPlainTransport } from './plain-transport.js';
import { readProxies } from './proxies.js';
import type { Transport, TransportResponse } from './transport.js';
import { checkUrl, type UrlPolicy } from './url-policy.js';

/** One request, of one attempt. */
export interface HttpRequest {
  readonly method: 'GET' | 'PUT';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent to the origin of {@link url} alone: never after a redirect to another one, nor back from there. */
  readonly authorization?: string | undefined;
  readonly body?: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/** An answer whose body is still to be read. */
export interface HttpResponse extends TransportResponse {
  /** What was asked for, redirects followed. */
  readonly url: URL;
}

/** A client of HTTP under one policy of where it may connect to. */
export interface HttpClient {
  readonly ports: HttpPorts;
  readonly timeouts: HttpTimeouts;
  readonly options: HttpOptions;
  /**
   * Sends a request and follows redirects (of GET alone, at most five).
   *
   * @throws `ADDRESS_REFUSED`, `REDIRECT_REFUSED`, `INVALID_CONFIG`, or what the connection throws.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/** Makes a client. Nothing is loaded or connected before the first request. */
export function createHttpClient(policy: UrlPolicy, ports: HttpPorts, options: HttpOptions): HttpClient {
  const given = Object.entries(options.timeouts ?? {}).filter(([, value]) => value !== undefined);
  const timeouts: HttpTimeouts = { ...defaultTimeouts, ...Object.fromEntries(given) };
  const how = { ...options, timeouts };
  let plain: Transport | undefined;
  let full: Promise<Transport> | undefined;
  const transportFor = async ({ protocol }: URL): Promise<Transport> => {
    // A proxy that is none is told of, whichever connection it is for.
    const proxies = readProxies(options.environment ?? {});
    if (protocol === 'http:' && proxies.http === '') return (plain ??= createPlainTransport(policy, ports, how));
    const { createUndiciTransport } = await import('./undici-transport.js');
    return (full ??= createUndiciTransport(policy, ports, how));
  };

  const sendOnce = async ({
    method,
    url,
    headers,
    authorization,
    body,
    signal,
  }: HttpRequest): Promise<HttpResponse> => {
    checkUrl(url, policy);
    const transport = await transportFor(url);
    const own = { 'user-agent': options.userAgent ?? 'skillpack' };
    const secret = authorization === undefined ? {} : { authorization };
    const response = await transport.send({ method, url, headers: { ...own, ...headers, ...secret }, body, signal });
    return { ...response, url };
  };

  return {
    ports,
    timeouts,
    options,
    async send(request) {
      let { url, authorization } = request;
      for (let count = 0; ; count += 1) {
        const response = await sendOnce({ ...request, url, authorization });
        if (!redirects.has(response.status)) return response;
        await discard(response);
        const next = redirectTarget(response, request.method);
        if (count === maxRedirects) {
          throw redirectRefused(request.url, `leads on after ${maxRedirects} redirects, lastly to ${show(next)}`);
        }
        if (url.protocol === 'https:' && next.protocol !== 'https:') {
          throw redirectRefused(url, `leads from https to ${show(next)}`);
        }
        if (next.origin !== url.origin) authorization = undefined;
        url = next;
      }
    },
    async close() {
      await plain?.close();
      await (await full)?.close();
    },
  };
}

const mostDiscarded = 64 * 1024;
const discardTime = 2_000;

/** Gives up on the rest of a body: a short one is read, so that its connection is free again. */
export async function discard({ body }: Pick<HttpResponse, 'body'>): Promise<void> {
  // A body that breaks off while nobody wants it is of no interest.
  body.on('error', () => undefined);
  const deadline = setTimeout(() => body.destroy(), discardTime);
  let left = mostDiscarded;
  try {
    for await (const chunk of body) {
      left -= (chunk as Uint8Array).length; // Cast: a body is of buffers unless an encoding was set.
      if (left < 0) break;
    }
  } catch {
    // As above.
  } finally {
    clearTimeout(deadline);
  }
}

/** Turns whatever is thrown while a request is under way into a SkillsError; an abort is INTERRUPTED or TIMEOUT. */
export function requestError(thrown: unknown, what: string, signals: RequestSignals): SkillsError {
  if (signals.caller?.aborted === true) {
    return new SkillsError('INTERRUPTED', `${what} was cancelled.`, { cause: signals.caller.reason });
  }
  if (signals.deadline.aborted) {
    return new SkillsError('TIMEOUT', `${what} took longer than allowed (${signals.total} ms in all).`, {
      cause: thrown,
      data: { milliseconds: signals.total },
    });
  }
  return failureOf(thrown, what).error;
}

/** The signals that an operation ends by. */
export interface RequestSignals {
  readonly caller: AbortSignal | undefined;
  readonly deadline: AbortSignal;
  /** Either of them. */
  readonly any: AbortSignal;
  /** What the deadline was set to, in milliseconds. */
  readonly total: number;
  /** To be called when the operation has ended: lets go of the caller's signal, and of the timer. */
  release(): void;
}

/**
 * The signals of an operation that begins now. Not by `AbortSignal.timeout` and `any`, which leave their end to the
 * garbage collector and cost more than the rest of a small request.
 */
export function requestSignals(caller: AbortSignal | undefined, total: number): RequestSignals {
  const [deadline, any] = [new AbortController(), new AbortController()];
  const cancelled = (): void => any.abort(caller?.reason);
  const timer = setTimeout(() => {
    deadline.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    any.abort(deadline.signal.reason);
  }, total).unref();
  if (caller?.aborted === true) cancelled();
  else caller?.addEventListener('abort', cancelled, { once: true });
  const release = (): void => {
    clearTimeout(timer);
    caller?.removeEventListener('abort', cancelled);
  };
  return { caller, deadline: deadline.signal, any: any.signal, total, release };
}

function redirectTarget(response: HttpResponse, method: string): URL {
  const what = describeRequest(method, response.url);
  const location = response.headers['location'];
  if (location === undefined || !URL.canParse(location, response.url.href)) {
    throw new SkillsError('REGISTRY_ERROR', `${what}: ${response.status} without a usable Location.`);
  }
  const next = new URL(location, response.url);
  if (method !== 'GET') throw redirectRefused(response.url, `leads a ${method} to ${show(next)}`);
  if (next.protocol !== 'https:' && next.protocol !== 'http:') {
    throw redirectRefused(response.url, `leads to ${show(next)}, which is no http or https URL`);
  }
  next.username = '';
  next.password = '';
  next.hash = '';
  return next;
}

function redirectRefused(url: URL, what: string): SkillsError {
  return new SkillsError('REDIRECT_REFUSED', `${withoutCredentials(url.href)} ${what}; that is not followed.`, {
    data: { url: withoutCredentials(url.href) },
  });
}

function show(url: URL): string {
  return visibleText(withoutCredentials(url.href).slice(0, 500));
}
