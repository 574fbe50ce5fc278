import { SkillsError, withoutCredentials } from '@skillpack/core';

/** How the URL of a server is judged. */
export interface BaseUrlOptions {
  /** The last part of what a request is sent to, which a person may have copied along: `/chat/completions`. */
  readonly endpoint: string;
  /** Whether the protocol has room for a query. */
  readonly query: boolean;
  /** Whether a key goes along. */
  readonly secret: boolean;
  /** Whether it may go over plain http to another machine. */
  readonly allowInsecure: boolean;
}

/** Where a server is. */
export interface BaseUrl {
  /** Without a slash at its end, without a query. */
  readonly href: string;
  readonly host: string;
  /** Of its query. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Reads the URL of a server as a person gives it: a slash at the end, or the endpoint itself, changes nothing.
 *
 * @throws `ADDRESS_REFUSED` when it is no http or https URL, holds a user name, a password or a key, or when a key would be
 * sent over plain http to another machine.
 */
export function parseBaseUrl(text: string, { endpoint, query, secret, allowInsecure }: BaseUrlOptions): BaseUrl {
  // JavaScript gives anything.
  const given: unknown = text;
  if (typeof given !== 'string') {
    throw refused(`The base URL is ${String(given)}.`, 'Give `baseURL`: a text that begins with https://.');
  }
  const shown = withoutCredentials(text);
  if (!URL.canParse(text)) throw refused(`“${shown}” is not a URL.`, 'It begins with https://.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refused(`${shown} is not an http or https URL.`, 'It begins with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(`The URL of ${shown} holds a user name or a password.`, 'Leave them out, and hand in `apiKey`.');
  }
  url.hash = '';
  if (withoutCredentials(url.href) !== url.href) {
    throw refused(`The query of ${shown} holds a key.`, 'Leave it out, and hand in `apiKey` or a header.');
  }
  if (!query && url.search !== '') throw refused(`${shown} has a query.`, 'Leave it out.');
  if (secret && url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname)) {
    throw refused(
      `${shown} would be sent the key over plain http, which everybody on the way can read.`,
      'Use https. In a network that you trust, set `allowInsecure`.',
    );
  }
  const path = withoutSlashes(url.pathname);
  const base = path.endsWith(endpoint) ? withoutSlashes(path.slice(0, -endpoint.length)) : path;
  return { href: `${url.origin}${base}`, host: url.host, parameters: Object.fromEntries(url.searchParams) };
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path.charAt(end - 1) === '/') end -= 1;
  return path.slice(0, end);
}

/** Whether a host is this machine by its name or its number (RFC 6761, RFC 1122, RFC 4291). */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u.test(hostname);
}

function refused(message: string, hint: string): SkillsError {
  return new SkillsError('ADDRESS_REFUSED', `${message} No model is asked there.`, { hint });
}
