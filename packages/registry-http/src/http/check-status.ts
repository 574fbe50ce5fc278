import { errorCodes, SkillsError, visibleText, type ErrorCode } from '@skillpack/core';
import type { HttpClient, HttpResponse } from './http-client.js';
import type { HttpFailure } from './http-failure.js';
import { readBody } from './read-body.js';

const passing = new Set([408, 425, 429, 500, 502, 503, 504]);
const longestWait = 60_000;

/** The codes that a registry may answer with; anything else it says of itself is a REGISTRY_ERROR. */
const told = new Set<string>([
  'ARCHIVE_REFUSED',
  'FILE_TOO_LARGE',
  'INVALID_MANIFEST',
  'INVALID_PACK_NAME',
  'INVALID_VERSION',
  'UNAUTHORIZED',
  'USAGE',
  'VERSION_EXISTS',
] satisfies ErrorCode[]);

/** Makes a failure of an answer that is not the expected one. Reads its body, as far as it may hold an explanation. */
export async function statusFailure(
  response: HttpResponse,
  what: string,
  client: Pick<HttpClient, 'timeouts' | 'ports'>,
): Promise<HttpFailure> {
  const { status } = response;
  const explained = await readExplanation(response, what, client);
  const transient = passing.has(status);
  const retryAfter = waitOf(response.headers['retry-after'], client.ports.now());
  const data = { ...explained?.data, status };
  const said = explained === undefined ? '' : `: ${explained.message.replace(/\.$/u, '')}`;
  if (status === 401 || status === 403) {
    const hint = 'Set the token for this registry: SKILLS_TOKEN in the environment, or its line in credentials.json.';
    const message = `${what}: the server wants a valid token (${status})${said}.`;
    return { error: new SkillsError('UNAUTHORIZED', message, { hint, data }), transient: false };
  }
  if (explained !== undefined && told.has(explained.code)) {
    // Cast: the set holds codes alone.
    const code = explained.code as ErrorCode;
    return { error: new SkillsError(code, explained.message, { hint: explained.hint, data }), transient: false };
  }
  if (status === 507) {
    const message = `${what}: the registry has no room for it (507)${said}.`;
    const hint = 'Tell whoever runs the registry to free some space on its disk, then do it again.';
    return { error: new SkillsError('REGISTRY_ERROR', message, { hint, data }), transient: false };
  }
  const waits = retryAfter === undefined ? undefined : `Try again in ${Math.ceil(retryAfter / 1000)} seconds.`;
  const error = new SkillsError('REGISTRY_ERROR', `${what}: expected 200, but ${status} came${said}.`, {
    hint: waits ?? (status >= 500 ? 'Try again later, or tell whoever runs the server.' : undefined),
    data,
  });
  return { error, transient: transient && (retryAfter ?? 0) <= longestWait, retryAfter };
}

interface Explanation {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly data: Record<string, unknown> | undefined;
}

const maxExplanation = 16 * 1024;

async function readExplanation(
  response: HttpResponse,
  what: string,
  client: Pick<HttpClient, 'timeouts'>,
): Promise<Explanation | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    await readBody(response, {
      what,
      maxBytes: maxExplanation,
      timeouts: client.timeouts,
      onChunk: (chunk) => chunks.push(chunk),
    });
    const document: unknown = JSON.parse(Buffer.concat(chunks).toString());
    return explanationOf(document);
  } catch {
    // Whatever the body is, the status says that it failed.
    return undefined;
  }
}

function explanationOf(document: unknown): Explanation | undefined {
  if (!isRecord(document) || !isRecord(document['error'])) return undefined;
  const { code, message, hint, data } = document['error'];
  if (typeof code !== 'string' || typeof message !== 'string' || !Object.hasOwn(errorCodes, code)) {
    return undefined;
  }
  return {
    code,
    message: visibleText(message.slice(0, 1_000)),
    hint: typeof hint === 'string' ? visibleText(hint.slice(0, 1_000)) : undefined,
    data: isRecord(data) ? plainValues(data) : undefined,
  };
}

/** The values that a message speaks of; nothing deep, that whoever prints it would have to climb down into. */
function plainValues(data: Record<string, unknown>): Record<string, unknown> {
  const plain = Object.entries(data).filter(([, value]) => value === null || typeof value !== 'object');
  return Object.fromEntries(plain.slice(0, 20));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Retry-After (RFC 9110, 10.2.3): seconds, or a date. In milliseconds from now. */
function waitOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/u.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0);
}
