import { SkillsError } from '@skillpack/core';
import { checkHeaders } from './check-headers.js';
import { judgeUrl, type HostPolicy } from './host-policy.js';
import { parseRequestUrl } from './parse-request-url.js';

/** What `http_request` can do. */
export const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** One of {@link httpMethods}. */
export type HttpMethod = (typeof httpMethods)[number];

/** One request, to one server. */
export interface HttpRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** What a model asks for. */
export interface HttpRequestInput {
  readonly url: string;
  readonly method: HttpMethod;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** What a request is judged by. */
export interface RequestRules {
  readonly policy: HostPolicy;
  readonly requestBytes: number;
  readonly redact: (text: string) => string;
}

/**
 * Makes a request of what a model asks for. Nothing is resolved, and nothing connected to.
 *
 * @throws `INVALID_INPUT`, `ADDRESS_REFUSED`, `FILE_TOO_LARGE` for its body, and `TOOL_NOT_ALLOWED` when there is a secret
 * in it.
 */
export function makeHttpRequest(input: HttpRequestInput, rules: RequestRules): HttpRequest {
  const { method } = input;
  const url = parseRequestUrl(input.url);
  judgeUrl(url, rules.policy);
  const headers = checkHeaders(input.headers ?? {});
  const body = bodyOf(input, rules.requestBytes);
  checkSecrets(input, url, rules.redact);
  const type = body === undefined || Object.hasOwn(headers, 'content-type') ? {} : { 'content-type': plainText };
  return { method, url, headers: { ...headers, ...type }, body };
}

const plainText = 'text/plain; charset=utf-8';

function bodyOf({ method, body }: HttpRequestInput, requestBytes: number): Uint8Array | undefined {
  if (body === undefined) return undefined;
  if (method === 'GET' || method === 'HEAD') {
    throw new SkillsError('INVALID_INPUT', `A ${method} has no body.`, {
      hint: 'Put what is asked for into the URL, or use POST.',
    });
  }
  const bytes = new TextEncoder().encode(body);
  if (bytes.length <= requestBytes) return bytes;
  throw new SkillsError('FILE_TOO_LARGE', `The body has ${bytes.length} bytes; at most ${requestBytes} are sent.`, {
    data: { size: bytes.length, maxBytes: requestBytes },
  });
}

/** What would be taken out of an answer is not sent either. */
function checkSecrets(
  { url: written, headers = {}, body = '' }: HttpRequestInput,
  url: URL,
  redact: RequestRules['redact'],
): void {
  const parts = {
    // As it is sent, too: `a/./b` and `a/%2e/b` are `a/b` then.
    'The URL': [written, url.href],
    'A header': Object.entries(headers).flatMap(([name, value]) => [value, `${name}: ${value}`]),
    'The body': [body],
  };
  for (const [part, texts] of Object.entries(parts)) {
    if (texts.flatMap(readings).every((text) => redact(text) === text)) continue;
    throw new SkillsError('TOOL_NOT_ALLOWED', `${part} holds a secret, or what looks like one; it is not sent.`, {
      hint: 'Leave out tokens, keys and passwords: requests are sent without credentials.',
    });
  }
}

/** What is encoded more often is decoded by nobody by chance. */
const mostDecodings = 3;

/** A text as a server may read it: as it is, decoded once or several times, with `+` as it is or as a blank, as JSON. */
function readings(text: string): readonly string[] {
  const all = new Set([text]);
  let decoded = text;
  for (let times = 0; times < mostDecodings; times += 1) {
    decoded = fromPercents(decoded);
    for (const reading of [decoded, decoded.replaceAll('+', ' '), fromJson(decoded)]) all.add(reading);
  }
  return [...all];
}

/** With `%41` as `A`; what is not encoded so stays. */
function fromPercents(text: string): string {
  return text.replaceAll(/(?:%[\dA-Fa-f]{2})+/gu, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** With `\u0041` as `A`, and what is behind a backslash otherwise as it is. */
function fromJson(text: string): string {
  return text.replaceAll(
    /\\(?:u([\dA-Fa-f]{4})|(["\\/]))/gu,
    (_, code: string | undefined, plain: string | undefined) =>
      code === undefined ? (plain ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
