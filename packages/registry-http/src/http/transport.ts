import type { Readable } from 'node:stream';
import type { HttpOptions, HttpTimeouts } from './http-options.js';

/** How connections are made. */
export type TransportOptions = HttpOptions & { readonly timeouts: HttpTimeouts };

/** One exchange with one server: no redirect is followed. */
export interface TransportRequest {
  readonly method: 'GET' | 'PUT';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/** What came back; its body is still to be read. */
export interface TransportResponse {
  readonly status: number;
  /** By lower-case name; several of one name are joined by commas (RFC 9110, 5.2). */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Ends with an error when it breaks off. */
  readonly body: Readable;
}

/** Connections under one policy of where they may lead. */
export interface Transport {
  /** @throws `ADDRESS_REFUSED`, or an error whose `code` says what failed. */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** Headers as a {@link TransportResponse} has them. */
export function joinHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): TransportResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'object' ? value.join(', ') : value]),
  );
}
