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
  checkSecrets(input, rules.redact);
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
function checkSecrets({ url, headers = {}, body = '' }: HttpRequestInput, redact: RequestRules['redact']): void {
  const parts = {
    'The URL': [url, decoded(url)],
    'A header': Object.entries(headers).flatMap(([name, value]) => [value, decoded(value), `${name}: ${value}`]),
    'The body': [body, decoded(body)],
  };
  for (const [part, texts] of Object.entries(parts)) {
    if (texts.every((text) => redact(text) === text)) continue;
    throw new SkillsError('TOOL_NOT_ALLOWED', `${part} holds a secret, or what looks like one; it is not sent.`, {
      hint: 'Leave out tokens, keys and passwords: requests are sent without credentials.',
    });
  }
}

/** As a server may read it: with `%41` as `A`; what is not encoded so stays. */
function decoded(text: string): string {
  return text.replaceAll('+', ' ').replaceAll(/(?:%[\dA-Fa-f]{2})+/gu, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
