import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { untilAborted } from '@skillpack/core';
import type { Client } from 'undici';
import { isNamed, judgeAddresses, judgeUrl, literalAddress, type HostPolicy } from './host-policy.js';
import type { HttpRequest } from './http-request.js';
import { openConnection, type ConnectionRules } from './open-connection.js';
import { isProxied, type Proxy } from './proxy.js';

/** How requests are sent. */
export interface ExchangeRules extends Pick<ConnectionRules, 'certificates'> {
  /** Bytes of all headers of an answer. */
  readonly headerBytes: number;
  readonly policy: HostPolicy;
  readonly lookup: (hostname: string) => Promise<readonly string[]>;
  readonly proxy: Proxy | undefined;
}

/** An answer whose body is still to be read. */
export interface HttpExchange {
  readonly status: number;
  /** By lower-case name; several of one name are joined by commas (RFC 9110, 5.2). */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As it comes over the wire. Ends with an error when it breaks off. */
  readonly body: Readable;
  /** Gives up on what was not read, and on the connection. To be called in the end. */
  close(): Promise<void>;
}

/** How far a request got, over all its redirects, and what ends it. */
export interface ExchangeProgress {
  readonly signal: AbortSignal;
  /** Whether a server may have got it: a connection stood, over which it could be sent. */
  sent: boolean;
}

/** What is sent with every request. */
const own = { 'accept-encoding': 'gzip, br', 'user-agent': 'skillpack' };

/**
 * Sends one request over a connection of its own. The name of the host is resolved once and all its addresses are judged;
 * the connection goes to one of those, also through a proxy.
 *
 * @throws `ADDRESS_REFUSED` before anything is connected to, or what the connection throws.
 */
export async function openExchange(
  { method, url, headers, body }: HttpRequest,
  rules: ExchangeRules,
  progress: ExchangeProgress,
): Promise<HttpExchange> {
  const { signal } = progress;
  judgeUrl(url, rules.policy);
  const addresses = await judgedAddresses(url, rules, signal);
  const connection = { addresses, proxy: proxyFor(url, rules), certificates: rules.certificates };
  const socket = await openConnection(url, connection, signal);
  const client = await clientOf(url, socket, rules.headerBytes);
  const close = async (): Promise<void> => {
    await client.destroy();
    // Which the client may not have taken yet.
    socket.destroy();
  };
  try {
    progress.sent = true;
    const answer = await client.request({
      path: url.pathname + url.search,
      method,
      headers: { accept: '*/*', ...headers, ...own },
      body: body ?? null,
      signal,
      reset: true,
    });
    // What breaks off while nobody reads it is of no interest; whoever reads it is told all the same.
    answer.body.on('error', () => undefined);
    return { status: answer.statusCode, headers: joined(answer.headers), body: answer.body, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Speaks HTTP/1.1 over one connection, and never over another one. */
async function clientOf(url: URL, socket: Socket, headerBytes: number): Promise<Client> {
  // Loaded here because it costs 40 ms, which whoever asks no server should not pay.
  const { Client: HttpClient } = await import('./undici.js');
  let given = false;
  return new HttpClient(url.origin, {
    maxHeaderSize: headerBytes,
    // The deadline of the whole request holds for headers and body, too.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect(_, callback) {
      const lost = given ? Object.assign(new Error('The connection was closed'), { code: 'ECONNRESET' }) : undefined;
      // Not before this returns: it goes on only then.
      queueMicrotask(() => (lost === undefined ? callback(null, socket) : callback(lost, null)));
      given = true;
    },
  });
}

async function judgedAddresses(
  url: URL,
  { policy, lookup }: ExchangeRules,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const literal = literalAddress(url);
  const addresses = literal === undefined ? await untilAborted(async () => lookup(url.hostname), signal) : [literal];
  if (addresses.length === 0) throw Object.assign(new Error(`${url.hostname} has no address`), { code: 'ENOTFOUND' });
  judgeAddresses(url, addresses, policy);
  return addresses;
}

/** What is near is asked directly. */
function proxyFor(url: URL, { policy, proxy }: ExchangeRules): string | undefined {
  if (proxy === undefined || isNamed(url, policy) || !isProxied(url, proxy)) return undefined;
  return proxy.url;
}

function joined(headers: Readonly<Record<string, string | readonly string[] | undefined>>): HttpExchange['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'object' ? value.join(', ') : value]),
  );
}
