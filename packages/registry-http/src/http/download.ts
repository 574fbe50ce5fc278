import { SkillsError, withoutCredentials, type Digest } from '@skillpack/core';
import { statusFailure } from './check-status.js';
import { discard, type HttpClient, type HttpResponse } from './http-client.js';
import { codingOf, readBody, unexpectedCoding } from './read-body.js';
import type { Receiver } from './receiver.js';
import { retry, type Attempt } from './retry.js';

/** What is downloaded. */
export interface DownloadRequest {
  readonly url: URL;
  /** Where it goes. */
  readonly into: Receiver;
  /** More are refused. */
  readonly maxBytes: number;
  readonly authorization?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

interface Partial {
  readonly received: Receiver;
  /** A strong one, or `undefined`: then what is there cannot be continued. */
  etag: string | undefined;
}

/**
 * Downloads a file as it is: a content coding is refused. A download that breaks off is continued where it was, if the
 * server gave a strong ETag and still has that very representation; else it begins anew.
 *
 * @returns its digest, hashed while it arrived; `undefined` when there is no such file (404, 410).
 * @throws `FILE_TOO_LARGE`, `UNAUTHORIZED`, `REGISTRY_ERROR`, `NETWORK_ERROR`, `TIMEOUT`, `INTERRUPTED`,
 * `REDIRECT_REFUSED`, `ADDRESS_REFUSED`, and what the receiver throws.
 */
export async function download(request: DownloadRequest, client: HttpClient): Promise<Digest | undefined> {
  request.into.restart(0);
  const partial: Partial = { received: request.into, etag: undefined };
  return retry<Digest | undefined>(
    {
      method: 'GET',
      url: request.url,
      signal: request.signal,
      progress: () => partial.received.length,
      async attempt(signals, what): Promise<Attempt<Digest | undefined>> {
        const { url, authorization } = request;
        const headers = { 'accept-encoding': 'identity', ...rangeHeaders(partial) };
        const response = await client.send({ method: 'GET', url, authorization, headers, signal: signals.any });
        if (response.status === 404 || response.status === 410) {
          await discard(response);
          return { kind: 'done', value: undefined };
        }
        if (response.status === 206 && continues(response, partial)) {
          client.options.onEvent?.({
            kind: 'resume',
            url: withoutCredentials(url.href),
            offset: partial.received.length,
          });
        } else if (response.status === 206 || response.status === 416) {
          restart(partial, 0);
          await discard(response);
          const message = `${what}: a part was asked for, and another came (${response.status}).`;
          return { kind: 'failed', failure: { error: new SkillsError('REGISTRY_ERROR', message), transient: true } };
        } else if (response.status === 200) restart(partial, announcedBytes(response, request.maxBytes));
        else return { kind: 'failed', failure: await statusFailure(response, what, client) };
        const coding = codingOf(response);
        if (coding !== undefined) {
          await discard(response);
          throw unexpectedCoding(what, coding, 'none');
        }
        partial.etag = strongTag(response);
        await readBody(response, {
          what,
          maxBytes: request.maxBytes - partial.received.length,
          timeouts: client.timeouts,
          onChunk: (chunk) => {
            request.onProgress?.(chunk.length);
            partial.received.add(chunk);
          },
        });
        return { kind: 'done', value: partial.received.digest() };
      },
    },
    client,
  );
}

function rangeHeaders({ received, etag }: Partial): Record<string, string> {
  return received.length === 0 || etag === undefined ? {} : { range: `bytes=${received.length}-`, 'if-range': etag };
}

function restart(partial: Partial, expected: number): void {
  partial.received.restart(expected);
  partial.etag = undefined;
}

function announcedBytes({ headers }: HttpResponse, most: number): number {
  const announced = Number(headers['content-length'] ?? 0);
  return Number.isSafeInteger(announced) && announced >= 0 && announced <= most ? announced : 0;
}

/** Whether a 206 continues what is there: from the next byte, of the same representation (RFC 9110, 15.3.7). */
function continues(response: HttpResponse, partial: Partial): boolean {
  const start = /^bytes (\d+)-/u.exec(response.headers['content-range'] ?? '')?.[1];
  return (
    partial.received.length > 0 && Number(start) === partial.received.length && strongTag(response) === partial.etag
  );
}

function strongTag(response: HttpResponse): string | undefined {
  const etag = response.headers['etag'];
  return etag !== undefined && /^"[^"]{1,256}"$/u.test(etag) ? etag : undefined;
}
