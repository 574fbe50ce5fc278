import { quoted, SkillsError, withoutCredentials } from '@skillpack/core';
import type { HttpRequest } from './http-request.js';

/** Where an answer leads. */
export type Redirect =
  | { readonly kind: 'follow'; readonly request: HttpRequest }
  /** To another host, which a yes to this one says nothing of. */
  | { readonly kind: 'elsewhere'; readonly url: URL };

const redirecting = new Set([301, 302, 303, 307, 308]);
const withoutBody = new Set(['GET', 'HEAD']);

/**
 * What is asked for next where an answer is a redirect (RFC 9110, 15.4): 303 makes a GET of everything but HEAD, 301 and
 * 302 of a POST. To another origin neither headers of the model nor a body go along.
 *
 * @returns `undefined` for an answer that leads nowhere.
 * @throws `REDIRECT_REFUSED` to another scheme, from https to http, with a user name or a password, and where a body would
 * have to go to another origin.
 */
export function nextRequest(
  request: HttpRequest,
  answer: { readonly status: number; readonly location: string | undefined },
  { otherHosts }: { readonly otherHosts: boolean },
): Redirect | undefined {
  const { status, location } = answer;
  if (!redirecting.has(status) || location === undefined) return undefined;
  const { method, url } = request;
  const next = targetOf(url, location);
  if (next.hostname !== url.hostname && !otherHosts) return { kind: 'elsewhere', url: next };
  const toGet = status === 303 ? method !== 'HEAD' : status <= 302 && method === 'POST';
  const headers = next.origin === url.origin ? request.headers : {};
  if (toGet)
    return { kind: 'follow', request: { method: 'GET', url: next, headers: withoutContent(headers), body: undefined } };
  if (next.origin !== url.origin && !withoutBody.has(method)) {
    throw refused(url, `leads a ${method} to another origin, ${shown(next)}`);
  }
  return { kind: 'follow', request: { ...request, url: next, headers } };
}

function targetOf(url: URL, location: string): URL {
  if (!URL.canParse(location, url.href)) throw refused(url, `leads to ${quoted(location)}, which is no URL`);
  const next = new URL(location, url);
  if (next.protocol !== 'https:' && next.protocol !== 'http:') {
    throw refused(url, `leads to ${shown(next)}, which is no https URL`);
  }
  if (url.protocol === 'https:' && next.protocol === 'http:') throw refused(url, `leads from https to ${shown(next)}`);
  if (next.username !== '' || next.password !== '') {
    throw refused(url, `leads to ${shown(next)} with a user name or a password`);
  }
  next.hash = '';
  return next;
}

/** There is no body any more that these could speak of. */
function withoutContent(headers: HttpRequest['headers']): HttpRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')));
}

/** A redirect that is not followed. */
export function refused(url: URL, what: string): SkillsError {
  return new SkillsError('REDIRECT_REFUSED', `${shown(url)} ${what}; that is not followed.`, {
    data: { url: withoutCredentials(url.href) },
  });
}

function shown(url: URL): string {
  return quoted(withoutCredentials(url.href));
}
