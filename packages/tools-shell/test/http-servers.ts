import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { join } from 'node:path';
import type { ToolResult } from '@skillpack/core';
import { onTestFinished } from 'vitest';
import type { HttpToolOptions, HttpToolPorts } from '../src/http/http-tool-options.js';
import { createHttpTool } from '../src/http/http-tool.js';

const tls = join(import.meta.dirname, 'fixtures/tls');
const key = readFileSync(join(tls, 'key.pem'));
const cert = readFileSync(join(tls, 'certificate.pem'));

/** Who signed the certificate of every TLS server here. */
const authority = readFileSync(join(tls, 'ca.pem'), 'utf8');

/** A request as a test server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A real server on this machine. */
export interface TestServer {
  readonly port: number;
  /** With its final slash, by the address 127.0.0.1. */
  readonly url: string;
  readonly seen: SeenRequest[];
  /** How many connections there were, whatever came over them. */
  connections(): number;
  /** How many are open now. */
  open(): number;
}

/** Starts a server that answers once it has read the whole request; it ends with the test. */
export async function startServer(listener: RequestListener, kind: 'http' | 'https' = 'http'): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const answer: RequestListener = (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      seen.push({ method, url, headers, body: Buffer.concat(pieces).toString() });
      listener(incoming, response);
    });
  };
  const server: Server = kind === 'http' ? createServer(answer) : createTlsServer({ key, cert }, answer);
  return { seen, ...(await listen(server, kind)) };
}

/** Starts a server of the transport alone: for what is no HTTP. */
export async function startRawServer(listener: (socket: Socket) => void): Promise<TestServer> {
  return { seen: [], ...(await listen(createTcpServer(listener), 'http')) };
}

/** A proxy that tunnels, and takes every host for the one at `port`. What it was asked for is in `seen`. */
export async function startProxy(port: number, kind: 'http' | 'https' = 'http'): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const note = ({ method = '', url = '', headers }: IncomingMessage): void => {
    seen.push({ method, url, headers, body: '' });
  };
  const answer: RequestListener = (incoming, response) => {
    note(incoming);
    response.end('proxied');
  };
  const server: Server = kind === 'http' ? createServer(answer) : createTlsServer({ key, cert }, answer);
  server.on('connect', (incoming, socket) => {
    note(incoming);
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on('error', () => [socket, upstream].map((other) => other.destroy()));
  });
  return { seen, ...(await listen(server, kind)) };
}

async function listen(server: TcpServer, kind: string): Promise<Omit<TestServer, 'seen'>> {
  const sockets = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { port, url: `${kind}://127.0.0.1:${port}/`, connections: () => count, open: () => sockets.size };
}

/** Asks by the tool, which may ask 127.0.0.1 unless options say otherwise. */
export async function request(
  input: object,
  options: HttpToolOptions & Partial<HttpToolPorts> & { readonly signal?: AbortSignal } = {},
): Promise<ToolResult> {
  const { signal = new AbortController().signal, redact, lookup, ...rest } = { lookup: noLookup, ...options };
  const tool = createHttpTool(
    { clock: { now: () => 0 }, redact, lookup },
    { allowPrivate: ['127.0.0.1'], certificates: [authority], ...rest },
  );
  return tool.run(input, { signal, id: '1' });
}

async function noLookup(hostname: string): Promise<never> {
  throw Object.assign(new Error(`${hostname} is not looked up in tests`), { code: 'ENOTFOUND' });
}
