import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveReader, Digest } from '@skillpack/core';
import { onTestFinished } from 'vitest';
import type { HttpRegistryPorts } from '../src/client/http-registry.js';
import { systemHttpPorts } from '../src/http/http-ports.js';
import { sha256 } from '../src/sha256.js';

/** A request as a test server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly httpVersion: string;
}

/** A real server on this machine that behaves as a test wants. */
export interface TestServer {
  /** With its final slash. */
  readonly url: string;
  readonly port: number;
  readonly seen: SeenRequest[];
}

type Kind = 'http' | 'https' | 'http2';

const tls = join(import.meta.dirname, 'fixtures/tls');

/** The key of {@link certificate}. */
export const privateKey = readFileSync(join(tls, 'key.pem'));

/** The certificate of every TLS server here, to be trusted by the client under test. */
export const certificate = readFileSync(join(tls, 'certificate.pem'), 'utf8');

const makers: Readonly<Record<Kind, (listener: RequestListener) => Server>> = {
  http: (listener) => createServer(listener),
  https: (listener) => createTlsServer({ key: privateKey, cert: certificate }, listener),
  // Cast: the compatibility interface of node:http2 is that of node:http as far as these tests use it.
  http2: (listener) =>
    createSecureServer(
      { key: privateKey, cert: certificate, allowHTTP1: true },
      listener as never,
    ) as unknown as Server,
};

/** Starts a server on a free port; it ends with the test. */
export async function startServer(
  listener: (...args: Parameters<RequestListener>) => void,
  kind: Kind = 'http',
): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = makers[kind]((request, response) => {
    const { method = '', url = '', headers, httpVersion } = request;
    seen.push({ method, url, headers, httpVersion });
    listener(request, response);
  });
  const port = await listen(server);
  return { url: `${kind === 'http' ? 'http' : 'https'}://127.0.0.1:${port}/`, port, seen };
}

/** A proxy that forwards, tunnels, and takes every host for the one at `port`. */
export async function startProxy(port: number): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers, httpVersion } = request;
    seen.push({ method, url, headers, httpVersion });
    response.end(`proxied ${url}`);
  });
  server.on('connect', (request, socket) => {
    const { method = '', url = '', headers, httpVersion } = request;
    seen.push({ method, url, headers, httpVersion });
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on('error', () => [socket, upstream].map((other) => other.destroy()));
  });
  const listening = await listen(server);
  return { url: `http://127.0.0.1:${listening}/`, port: listening, seen };
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
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
  return (server.address() as AddressInfo).port;
}

/** What a client works with: real connections, a delay that is noted instead of waited for. */
export function testPorts(
  overrides: Partial<HttpRegistryPorts> = {},
): HttpRegistryPorts & { readonly delays: number[] } {
  const delays: number[] = [];
  return {
    ...systemHttpPorts,
    random: () => 1,
    delay: async (milliseconds) => void delays.push(milliseconds),
    archives: noArchives,
    delays,
    ...overrides,
  };
}

const noArchives: ArchiveReader = { open: () => Promise.reject(new Error('no archive is opened in this test')) };

/** A folder that is removed when the present test ends. */
export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'skillpack-http-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Bytes that look different everywhere, and their digest. */
export function someBytes(size: number, seed: number = 1): { readonly bytes: Buffer; readonly digest: Digest } {
  const bytes = Buffer.alloc(size);
  for (let index = 0; index < size; index += 1) bytes[index] = (index * 7 + (index >> 8) * seed + seed) % 256;
  return { bytes, digest: sha256(bytes) };
}

/** The index document of a pack without versions' content, as a server answers it. */
export function indexOf(name: string, description: string = 'A pack.'): string {
  return `${JSON.stringify({ formatVersion: 1, name, description, tags: {}, deprecated: null })}\n`;
}
