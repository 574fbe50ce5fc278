import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { SkillsError } from '@skillpack/core';
import { refusal } from './error-response.js';
import type { RequestHandler } from './registry-server.js';

/** Where and within which limits a handler is served. Times in milliseconds. */
export interface ServeOptions {
  /** @default '127.0.0.1' this machine alone */
  readonly host?: string | undefined;
  /** @default 0 any free one */
  readonly port?: number | undefined;
  /** Connections at once; more are closed. @default 256 */
  readonly maxConnections?: number | undefined;
  /** Until a request's headers are there. @default 10,000 */
  readonly headersTimeout?: number | undefined;
  /** Until a request is there, its body included. @default 120,000 */
  readonly requestTimeout?: number | undefined;
  /** Without a byte in either direction. @default 30,000 */
  readonly idleTimeout?: number | undefined;
}

/** A server that listens. */
export interface RunningServer {
  /** With its final slash. */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, lets those under way end for up to `grace` milliseconds, then ends them. @default 5,000 */
  close(grace?: number): Promise<void>;
}

const maxHeaderBytes = 16 * 1024;
const maxHeaders = 64;

/**
 * Serves a handler by HTTP/1.1.
 *
 * @throws `IO_ERROR` when the address cannot be listened on.
 */
export async function serveRegistry(handler: RequestHandler, options: ServeOptions = {}): Promise<RunningServer> {
  const host = options.host ?? '127.0.0.1';
  const server = createServer(
    {
      headersTimeout: options.headersTimeout ?? 10_000,
      requestTimeout: options.requestTimeout ?? 120_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 5_000,
      maxHeaderSize: maxHeaderBytes,
    },
    (request, response) => void answer(handler, request, response),
  );
  server.maxConnections = options.maxConnections ?? 256;
  server.maxHeadersCount = maxHeaders;
  server.setTimeout(options.idleTimeout ?? 30_000);
  await listen(server, host, options.port ?? 0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server on TCP has an address with a port');
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}/`,
    port: address.port,
    close: (grace = 5_000) => close(server, grace),
  };
}

async function answer(handler: RequestHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  try {
    const request = requestOf(incoming, gone.signal);
    const response = request === undefined ? refusal(400, 'USAGE', 'This is no URL.') : await handler(request);
    // What is left of a request that was answered early is not waited for.
    if (!incoming.complete) outgoing.setHeader('connection', 'close');
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null || incoming.method === 'HEAD') outgoing.end();
    else {
      // Cast: the global streams are those of node:stream/web; their declarations differ.
      await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), outgoing);
    }
  } catch {
    // The client is gone or the file broke off; half an answer must not look like a whole one.
    outgoing.destroy();
  }
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const target = incoming.url ?? '';
  if (!target.startsWith('/') || !URL.canParse(`http://registry.invalid${target}`)) return undefined;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const { method = 'GET' } = incoming;
  const bare = ['GET', 'HEAD', 'TRACE', 'CONNECT', 'OPTIONS', 'DELETE'].includes(method);
  // TRACE, CONNECT and TRACK cannot be represented; to a registry they are as wrong as any other.
  const shown = ['TRACE', 'CONNECT', 'TRACK'].includes(method) ? 'DELETE' : method;
  const body = bare ? null : (Readable.toWeb(incoming) as globalThis.ReadableStream<Uint8Array>);
  return new Request(`http://registry.invalid${target}`, { method: shown, headers, body, signal, duplex: 'half' });
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new SkillsError('IO_ERROR', `${host}:${port} cannot be listened on: ${cause.code ?? cause.message}.`, {
          cause,
          hint: cause.code === 'EADDRINUSE' ? 'Something else listens there. Choose another port.' : undefined,
          data: { host, port, code: cause.code ?? null },
        }),
      );
    });
    server.listen(port, host, resolve);
  });
}

async function close(server: Server, grace: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A connection whose last request ends now would otherwise be kept alive for the next.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), grace);
  await closed;
  clearTimeout(timer);
  clearInterval(sweep);
}
