import { type ErrorLink, textOf } from './error-chain.js';
import { lookedAt } from './make-cleaner.js';
import { readErrorBody, readErrorValue } from './read-error-body.js';

/** An error of a provider, as far as it can be read from its shape. */
export interface ProviderFailure {
  readonly status: number | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the server, or else the client, says. */
  readonly message: string;
  /** All that the server says, for patterns. */
  readonly said: string;
  /** `type`, `code` and the like of the server's error, in lower case. */
  readonly words: readonly string[];
  /** Names of the errors: `AI_APICallError`. */
  readonly names: readonly string[];
  /** Codes of the system: `ECONNREFUSED`. */
  readonly codes: readonly string[];
  readonly url: URL | undefined;
}

/** Reads a chain of errors, from the outside in. */
export function readFailure(chain: readonly ErrorLink[], thrown: unknown): ProviderFailure {
  const call = chain.find((link) => typeof link['url'] === 'string' && 'requestBodyValues' in link);
  const body = textOf(call ?? {}, 'responseBody').slice(0, lookedAt);
  // A part `error` of a stream is what the server sent, or holds it as `data`.
  const sent = chain.find((link) => !isError(link));
  const told = body === '' ? readErrorValue(sent?.['data'] ?? sent ?? thrown) : readErrorBody(body);
  const outer =
    typeof thrown === 'string' ? thrown : (chain.map((link) => textOf(link, 'message')).find(Boolean) ?? '');
  const message = (told.message || (body === '' ? outer : '')).slice(0, lookedAt);
  return {
    status: numberOf(call?.['statusCode']) ?? numberOf(sent?.['statusCode']) ?? told.status,
    headers: headersOf(call?.['responseHeaders']),
    message,
    said: `${message}\n${body}`,
    words: [...told.words, ...(sent === undefined ? [] : [textOf(sent, 'type').toLowerCase()])],
    names: chain.map((link) => textOf(link, 'name')),
    codes: chain.filter(isError).map((link) => textOf(link, 'code')),
    url: urlOf(textOf(call ?? {}, 'url')),
  };
}

function isError(link: ErrorLink): boolean {
  return link instanceof Error || typeof link['name'] === 'string';
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function headersOf(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) return {};
  const pairs = Object.entries(headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}
