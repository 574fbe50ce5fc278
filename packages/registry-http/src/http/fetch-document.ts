import { SkillsError, withoutCredentials } from '@skillpack/core';
import type { CachedDocument, DocumentCache } from '../cache/document-cache.js';
import { statusFailure } from './check-status.js';
import { discard, type HttpClient, type HttpResponse } from './http-client.js';
import { decodeBody, readBody } from './read-body.js';
import { retry, type Attempt } from './retry.js';

/** Which document is wanted, and how. */
export interface DocumentRequest<Value> {
  readonly url: URL;
  /** Reads the text; what this throws is neither returned nor kept. */
  readonly parse: (text: string) => Value;
  /** Of the body, over the wire and unpacked. */
  readonly maxBytes: number;
  readonly authorization?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly cache?: DocumentCache | undefined;
  /** Ask whether it is still the present one, however fresh what is in the cache. @default false */
  readonly revalidate?: boolean | undefined;
  /** Take it from the cache, whatever its age, or fail. @default false */
  readonly offline?: boolean | undefined;
  /** For how long the absence of the document is remembered, in milliseconds. @default 0 */
  readonly absentFor?: number | undefined;
}

// A server cannot make a client blind for longer, to yanks and revocations say.
const longestMaxAge = 24 * 60 * 60 * 1000;

/**
 * Gets a document and reads it: from the cache while it is fresh, else by a conditional request. When the server cannot be reached
 * or fails, a cached document of any age is better than none, and an event says so.
 *
 * @returns `undefined` when there is no such document (404, 410).
 * @throws `OFFLINE`, `UNAUTHORIZED`, `FILE_TOO_LARGE`, `REGISTRY_ERROR`, `NETWORK_ERROR`, `TIMEOUT`, `INTERRUPTED`,
 * `REDIRECT_REFUSED`, `ADDRESS_REFUSED`, `INVALID_INDEX` for what is not UTF-8, and what `parse` throws.
 */
export async function fetchDocument<Value>(
  request: DocumentRequest<Value>,
  client: HttpClient,
): Promise<Value | undefined> {
  if (request.signal?.aborted === true) {
    throw new SkillsError('INTERRUPTED', 'It was cancelled.', { cause: request.signal.reason });
  }
  const key = request.url.href;
  const kept = readKept(request);
  const now = client.ports.now();
  if (request.offline === true) {
    if (kept !== undefined) return kept.value;
    throw new SkillsError(
      'OFFLINE',
      `${withoutCredentials(key)} is not in the cache, and the network must not be used.`,
      {
        hint: 'Do it once with the network: leave out --offline, or set SKILLS_OFFLINE=0.',
        data: { url: withoutCredentials(key) },
      },
    );
  }
  if (request.revalidate !== true && kept !== undefined && isFresh(kept.document, now)) return kept.value;
  try {
    const document = await ask(request, kept?.document, client);
    if (kept !== undefined && document.body === kept.document.body) {
      if (document.storable) request.cache?.confirm(key, document);
      return kept.value;
    }
    const value = valueOf(document, request);
    if (document.storable) request.cache?.write(key, document);
    return value;
  } catch (error) {
    if (kept === undefined || !(SkillsError.isKind(error, 'unavailable') || SkillsError.is(error, 'INVALID_INDEX'))) {
      throw error;
    }
    client.options.onEvent?.({
      kind: 'stale',
      url: withoutCredentials(key),
      age: Math.max(now - kept.document.storedAt, 0),
      reason: error.message,
    });
    return kept.value;
  }
}

function isFresh({ storedAt, maxAge }: CachedDocument, now: number): boolean {
  // A time in the future is a clock that was set back, not freshness.
  return storedAt <= now && now < storedAt + maxAge;
}

interface Kept<Value> {
  readonly document: CachedDocument;
  readonly value: Value | undefined;
}

/** What the cache has, if it can still be read: anybody may have written there. */
function readKept<Value>(request: DocumentRequest<Value>): Kept<Value> | undefined {
  const document = request.cache?.read(request.url.href);
  if (document === undefined) return undefined;
  try {
    return { document, value: valueOf(document, request) };
  } catch {
    return undefined;
  }
}

function valueOf<Value>({ status, body }: CachedDocument, { parse, url }: DocumentRequest<Value>): Value | undefined {
  return status === 404 ? undefined : parse(textOf(body, url));
}

function textOf(body: Uint8Array, url: URL): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new SkillsError('INVALID_INDEX', `${withoutCredentials(url.href)} is not UTF-8.`, {
      hint: 'Whoever runs the registry has to repair it.',
      cause,
    });
  }
}

async function ask(
  request: DocumentRequest<unknown>,
  cached: CachedDocument | undefined,
  client: HttpClient,
): Promise<Answered> {
  const { url, authorization, maxBytes } = request;
  const condition = cached?.status === 200 && cached.etag !== undefined ? { 'if-none-match': cached.etag } : {};
  return retry(
    {
      method: 'GET',
      url,
      signal: request.signal,
      async attempt(signals, what): Promise<Attempt<Answered>> {
        const headers = { 'accept-encoding': 'gzip', ...condition };
        const response = await client.send({ method: 'GET', url, authorization, headers, signal: signals.any });
        const storedAt = client.ports.now();
        if (response.status === 304 && cached !== undefined && 'if-none-match' in condition) {
          await discard(response);
          return { kind: 'done', value: { ...cached, storedAt, ...freshnessOf(response) } };
        }
        if (response.status === 404 || response.status === 410) {
          await discard(response);
          const maxAge = request.absentFor ?? 0;
          const absence = { status: 404, etag: undefined, storedAt, maxAge, body: new Uint8Array() } as const;
          return { kind: 'done', value: { ...absence, storable: true } };
        }
        if (response.status !== 200) {
          return { kind: 'failed', failure: await statusFailure(response, what, client) };
        }
        const chunks: Uint8Array[] = [];
        const { timeouts } = client;
        await readBody(response, { what, maxBytes, timeouts, onChunk: (chunk) => chunks.push(chunk) });
        const body = await decodeBody(Buffer.concat(chunks), response, { what, maxBytes });
        const etag = response.headers['etag'];
        return { kind: 'done', value: { status: 200, etag, storedAt, body, ...freshnessOf(response) } };
      },
    },
    client,
  );
}

interface Answered extends CachedDocument {
  /** Whether the server lets it be kept at all. */
  readonly storable: boolean;
}

/** Whether an answer may be kept, and for how long it is fresh (RFC 9111, 5.2.2), in milliseconds. */
function freshnessOf(response: HttpResponse): { readonly maxAge: number; readonly storable: boolean } {
  const control = response.headers['cache-control']?.toLowerCase() ?? '';
  const storable = !/\bno-store\b/u.test(control);
  if (!storable || /\bno-cache\b/u.test(control)) return { maxAge: 0, storable };
  const seconds = Number(/\bmax-age="?(\d{1,12})/u.exec(control)?.[1] ?? 0);
  const age = Number(/^\d{1,9}$/u.exec(response.headers['age'] ?? '')?.[0] ?? 0);
  return { maxAge: Math.min(Math.max(seconds - age, 0) * 1000, longestMaxAge), storable };
}
