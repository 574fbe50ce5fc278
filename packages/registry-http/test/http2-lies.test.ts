import { constants, createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { parsePackName, SkillsError, type ErrorCode } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { createHttpRegistry } from '../src/client/http-registry.js';
import { certificate, indexOf, privateKey, someBytes, testPorts } from './test-server.js';

const name = parsePackName('org/pdf');
const file = someBytes(300_000);
const blob = { digest: file.digest, size: file.bytes.length };

/** What an honest server would answer, and how often this was asked, from 1. */
interface Asked {
  readonly path: string;
  readonly honest: Buffer;
  readonly count: number;
}

type Behaviour = (stream: ServerHttp2Stream, asked: Asked) => void;

/** A server that speaks HTTP/2 alone, and answers as a test wants. */
async function startHttp2(behave: Behaviour) {
  const sessions = new Set<ServerHttp2Session>();
  const server = createSecureServer({ key: privateKey, cert: certificate });
  let count = 0;
  server.on('session', (session) => {
    sessions.add(session);
    // A client that gives up is what these servers are for.
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, { ':path': path = '' }) => {
    stream.on('error', () => undefined);
    count += 1;
    behave(stream, { path, count, honest: path.includes('/blobs/') ? file.bytes : Buffer.from(indexOf(name)) });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // Cast: a server that listens on TCP has an address.
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    for (const session of sessions) session.destroy();
  };
  return { url: `https://127.0.0.1:${port}/`, close };
}

const honestly: Behaviour = (stream, { honest }) => {
  stream.respond({ ':status': 200, 'content-length': honest.length });
  stream.end(honest);
};

/** The first of several behaviours for the first request, and so on; the last for all that follow. */
function inTurn(...turns: readonly Behaviour[]): Behaviour {
  return (stream, asked) => turns[Math.min(asked.count, turns.length) - 1]?.(stream, asked);
}

/** Sends a half of the body, and then does something else. */
function half(then: (stream: ServerHttp2Stream) => void): Behaviour {
  return (stream, { honest }) => {
    stream.respond({ ':status': 200, 'content-length': honest.length });
    stream.write(honest.subarray(0, honest.length / 2), () => setTimeout(() => then(stream), 10));
  };
}

/** Sends a piece again and again, every few milliseconds or as fast as it is taken. */
function forever(piece: string, pause: number): Behaviour {
  return (stream) => {
    stream.respond({ ':status': 200 });
    const more = (): void => {
      if (stream.destroyed) return;
      if (pause > 0) setTimeout(() => stream.write(piece, more), pause);
      else stream.write(piece, () => setImmediate(more));
    };
    more();
  };
}

const fault = constants.NGHTTP2_INTERNAL_ERROR;
const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024));

/** Of the codes that an index and an archive end with, the second is given where it is another. */
type Row = readonly [what: string, behave: Behaviour, index: ErrorCode | undefined, archive?: ErrorCode];

const rows: readonly Row[] = [
  ['ends after half of the body', half((stream) => void stream.end()), 'NETWORK_ERROR'],
  ['resets the stream in the middle', half((stream) => stream.close(fault)), 'NETWORK_ERROR'],
  ['cancels the stream in the middle', half((stream) => stream.close(constants.NGHTTP2_CANCEL)), 'NETWORK_ERROR'],
  ['says goodbye in the middle', half((stream) => stream.session?.destroy(undefined, fault)), 'NETWORK_ERROR'],
  ['closes the connection in the middle', half((stream) => stream.session?.socket.destroy()), 'NETWORK_ERROR'],
  ['resets every stream', (stream) => stream.close(fault), 'NETWORK_ERROR'],
  ['refuses a stream once', inTurn((stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM), honestly), undefined],
  ['breaks off once', inTurn(half((stream) => stream.close(fault)), honestly), undefined],
  ['closes the connection once', inTurn((stream) => stream.session?.destroy(), honestly), undefined],
  ['says nothing', () => undefined, 'TIMEOUT'],
  ['stalls in the body', half(() => undefined), 'TIMEOUT'],
  ['drips its body', forever('x', 20), 'TIMEOUT'],
  ['has no end', forever(' '.repeat(65_536), 0), 'FILE_TOO_LARGE'],
  ['redirects to itself', (stream, { path }) => stream.respond({ ':status': 302, location: path }, { endStream: true }), 'REDIRECT_REFUSED'],
  ['redirects to plain http', (stream) => stream.respond({ ':status': 302, location: 'http://127.0.0.1:1/' }, { endStream: true }), 'REDIRECT_REFUSED'],
  ['redirects to another address of this machine', (stream) => stream.respond({ ':status': 302, location: 'https://127.0.0.2/' }, { endStream: true }), 'ADDRESS_REFUSED'],
  ['sends a bomb of 256 MiB', (stream) => { stream.respond({ ':status': 200, 'content-encoding': 'gzip' }); stream.end(bomb); }, 'FILE_TOO_LARGE', 'REGISTRY_ERROR'],
  ['announces 1 TiB', (stream) => stream.respond({ ':status': 200, 'content-length': 2 ** 40 }), 'FILE_TOO_LARGE'],
  ['announces less than it sends', (stream, { honest }) => { stream.respond({ ':status': 200, 'content-length': honest.length - 20 }); stream.end(honest); }, 'NETWORK_ERROR'],
  ['answers 500, then 200', inTurn((stream) => stream.respond({ ':status': 500 }, { endStream: true }), honestly), undefined],
]; // prettier-ignore

/** For a lie that is about time. */
const hasty = { connect: 5_000, headers: 400, idle: 400, total: 20_000, rateWindow: 400, minimumRate: 1_000 };
/** For any other, which a machine under load must not turn into one about time. */
const patient = { connect: 30_000, headers: 30_000, idle: 30_000, total: 60_000, rateWindow: 30_000, minimumRate: 1 };

async function codeOf(outcome: Promise<unknown>): Promise<string | undefined> {
  try {
    await outcome;
    return undefined;
  } catch (error) {
    if (SkillsError.is(error)) return error.code;
    throw error;
  }
}

describe.concurrent('over TLS and HTTP/2, a server', { timeout: 180_000 }, () => {
  const cases = rows.map(([what, behave, index, archive = index]) => [what, behave, { index, archive }] as const);
  test.each(cases)('%s', async (_, behave, codes) => {
    for (const what of ['index', 'archive'] as const) {
      const server = await startHttp2(behave);
      const registry = createHttpRegistry(server.url, testPorts(), {
        certificates: [certificate],
        timeouts: codes[what] === 'TIMEOUT' ? hasty : patient,
        retries: 2,
      });
      const asked = what === 'index' ? registry.getPack(name) : registry.getBlob(blob);
      expect(await codeOf(asked), what).toBe(codes[what]);
      await registry.close();
      server.close();
    }
  });
});
