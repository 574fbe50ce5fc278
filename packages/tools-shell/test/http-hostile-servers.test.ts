import type { Socket } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { SkillsError, type ToolResult } from '@skillpack/core';
import { describe, expect, test, vi } from 'vitest';
import { request, startRawServer, startServer, type TestServer } from './http-servers.js';

const ok = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';

/** A server that answers every request, once its headers are there, with these bytes. */
async function answering(...pieces: readonly (string | Buffer)[]): Promise<TestServer> {
  return startRawServer((socket) => {
    socket.once('data', () => {
      for (const piece of pieces) socket.write(piece);
      socket.end();
    });
  });
}

/** Writes as fast as it is taken, for ever. */
function flood(socket: NodeJS.WritableStream, piece: Uint8Array | string): void {
  const write = (): void => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', write);
  write();
}

async function codeOf(result: Promise<ToolResult>): Promise<string | undefined> {
  const { ok: fine, error, output } = await result;
  expect(fine).toBe(false);
  expect(output).toMatchObject({ success: false });
  return error?.code;
}

describe('how much', () => {
  const answerBytes = 100_000;

  test('a body that never ends is given up at the limit, and so is its connection', async () => {
    let written = 0;
    const server = await startRawServer((socket) => {
      socket.once('data', () => {
        socket.write(`${ok}\r\n`);
        flood(socket, Buffer.alloc(1_000, 'x'));
        socket.once('close', () => {
          written = socket.bytesWritten;
        });
      });
    });
    expect(await codeOf(request({ url: server.url }, { answerBytes }))).toBe('FILE_TOO_LARGE');
    await expect.poll(() => server.open()).toBe(0);
    // What was on the way in buffers comes to a few megabytes, never to all that would have come.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test('a body that says how large it is is not begun', async () => {
    const server = await answering(`${ok}content-length: 100001\r\n\r\n`);
    const { error } = await request({ url: server.url }, { answerBytes });
    expect(error).toMatchObject({ code: 'FILE_TOO_LARGE', message: expect.stringContaining('100001 bytes') });
  });

  test('a body of just the limit is read', async () => {
    const server = await answering(`${ok}\r\n`, Buffer.alloc(answerBytes, 'x'));
    expect(await request({ url: server.url }, { answerBytes })).toMatchObject({
      ok: true,
      output: { bytes: answerBytes },
    });
  });

  test('a bomb of gzip is stopped at the limit of what it unpacks to', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(answerBytes);
    const server = await answering(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`, bomb);
    const { error } = await request({ url: server.url }, { answerBytes });
    expect(error?.code).toBe('FILE_TOO_LARGE');
    // One step of unpacking over the limit, of 64 MiB.
    const [, size] = /the answer has (\d+) bytes or more/u.exec(error?.message ?? '') ?? [];
    expect(Number(size)).toBeLessThanOrEqual(answerBytes + 16 * 1024);
  });

  test('a bomb that never ends is stopped, too', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      response.on('close', () => gzip.destroy());
      flood(gzip, Buffer.alloc(100_000));
    });
    expect(await codeOf(request({ url: server.url }, { answerBytes }))).toBe('FILE_TOO_LARGE');
  });

  test('packed bytes that unpack to nothing are counted as they come', async () => {
    const nothing = gzipSync('');
    const server = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      flood(response, nothing);
    });
    expect(await codeOf(request({ url: server.url }, { answerBytes }))).toBe('FILE_TOO_LARGE');
  });

  test.each([
    ['one that is long', `x-long: ${'a'.repeat(10_000)}\r\n`],
    ['many that are short', 'x-short: a\r\n'.repeat(1_100)],
  ])('headers over the limit: %s', async (_, headers) => {
    const server = await answering(`${ok}${headers}\r\nbody`);
    const { error } = await request({ url: server.url }, { headerBytes: 8_192 });
    expect(error).toMatchObject({ code: 'FILE_TOO_LARGE', message: expect.stringContaining('headers') });
    const length = `content-length: 4\r\n`;
    const fine = await answering(`${ok}${length}x-long: ${'a'.repeat(7_000)}\r\n\r\nbody`);
    expect(await request({ url: fine.url }, { headerBytes: 8_192 })).toMatchObject({ ok: true });
  });

  test('headers that never end are given up at the limit', async () => {
    const server = await startRawServer((socket) => {
      socket.once('data', () => {
        socket.write(ok);
        flood(socket, 'x-more: and more\r\n');
      });
    });
    expect(await codeOf(request({ url: server.url }))).toBe('FILE_TOO_LARGE');
    await expect.poll(() => server.open()).toBe(0);
  });
});

describe('how long', () => {
  test.each([
    ['from the beginning', ''],
    ['after much that came at once', 'x'.repeat(50_000)],
  ])('a body that drips %s is given up, though it is never idle', async (_, begin) => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write(`${begin}x`);
      const drip = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(drip));
    });
    const { error } = await request({ url: server.url }, { minimumRate: 10_000, rateWindow: 100 });
    expect(error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('too slow') });
    await expect.poll(() => server.open()).toBe(0);
  });

  const silent = (): void => undefined;
  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', silent],
    ['says half a header', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-ty')],
    ['says half a body', (socket) => socket.write(`${ok}content-length: 10\r\n\r\nhalf`)],
    ['gives hints, and more hints', (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('a server that %s is given up when the time is over', async (_, answer) => {
    const server = await startRawServer((socket) => void socket.once('data', () => answer(socket)));
    const { error } = await request({ url: server.url }, { timeout: 300 });
    expect(error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('300 ms') });
    await expect.poll(() => server.open()).toBe(0);
  });

  const behindProxy = { allowPrivate: [], lookup: async () => ['93.184.215.14'] };
  const tunnel = 'HTTP/1.1 200 Connection established\r\n\r\n';
  // Bytes are taken, and not answered.
  const takes = (socket: Socket): void => void socket.resume();
  const unconnected: readonly (readonly [string, (socket: Socket) => void, boolean])[] = [
    ['a server that takes a connection and does not speak TLS', takes, false],
    ['a proxy that says nothing', takes, true],
    ['a proxy that says half a line', (socket) => void socket.resume().write('HTTP/1.1 200'), true],
    ['a proxy behind which nobody speaks TLS', (socket) => void socket.resume().write(tunnel), true],
  ];

  test.each(unconnected)('%s is given up when the time is over, and nothing was sent', async (_, answer, proxied) => {
    const server = await startRawServer(answer);
    const options = proxied
      ? { ...behindProxy, environment: { HTTPS_PROXY: server.url } }
      : { allowPrivate: ['api.example'], lookup: async () => ['127.0.0.1'] };
    const url = `https://api.example:${server.port}/`;
    const result = await request({ url, method: 'POST', body: 'x' }, { ...options, timeout: 300 });
    expect(result).toMatchObject({ error: { code: 'TIMEOUT', message: expect.stringContaining('300 ms') } });
    expect(result.output).toEqual({ success: false });
    await expect.poll(() => server.open()).toBe(0);
  });

  test.each(unconnected)('AGIO-21: %s is left at once when a request is aborted', async (_, answer, proxied) => {
    const controller = new AbortController();
    const server = await startRawServer((socket) => {
      answer(socket);
      socket.once('data', () => setImmediate(() => controller.abort()));
    });
    const options = proxied
      ? { ...behindProxy, environment: { HTTPS_PROXY: server.url } }
      : { allowPrivate: ['api.example'], lookup: async () => ['127.0.0.1'] };
    const url = `https://api.example:${server.port}/`;
    const running = request({ url }, { ...options, signal: controller.signal });
    await expect(running).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
    await expect.poll(() => server.open()).toBe(0);
  });

  test('the time is one for all redirects', async () => {
    const server = await startServer((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 150);
    });
    const { error } = await request({ url: server.url }, { timeout: 400 });
    expect(error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('400 ms') });
  });

  test('a resolver that never answers is given up', async () => {
    const lookup = (): Promise<never> => new Promise(() => undefined);
    const result = request({ url: 'https://api.example/' }, { lookup, timeout: 100 });
    expect(await codeOf(result)).toBe('TIMEOUT');
  });

  test('AGIO-21: an aborted request is INTERRUPTED, and its connection is closed', async () => {
    const controller = new AbortController();
    const server = await startServer(() => controller.abort(new Error('enough')));
    const running = request({ url: server.url }, { signal: controller.signal });
    await expect(running).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
    await expect.poll(() => server.open()).toBe(0);
  });

  test.each(['answers', 'breaks off'])('no timer stays after a server %s', async (how) => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const server = await startServer((_, response) => void (how === 'answers' ? response.end() : response.destroy()));
    const before = timers();
    await request({ url: server.url });
    await expect.poll(timers).toBe(before);
  });

  test('AGIO-21: so is one that is aborted in the middle of its body', async () => {
    const controller = new AbortController();
    const server = await startServer((_, response) => {
      response.write('begun');
      setImmediate(() => controller.abort());
    });
    const running = request({ url: server.url }, { signal: controller.signal });
    await expect(running).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
    await expect.poll(() => server.open()).toBe(0);
  });

  test('nothing holds on to the signal of a run when the request is over', async () => {
    const { signal } = new AbortController();
    const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    const server = await startServer((_, response) => void response.end());
    await request({ url: server.url }, { signal });
    expect(add).toHaveBeenCalled();
    expect(remove.mock.calls.map(([name, listener]) => [name, listener])).toEqual(
      add.mock.calls.map(([name, listener]) => [name, listener]),
    );
  });
});

describe('what breaks off or is no answer', () => {
  test.each<[string, readonly (string | Buffer)[]]>([
    ['nothing at all', []],
    ['no HTTP', ['SSH-2.0-OpenSSH_9.9\r\n']],
    ['less than its content-length', [`${ok}content-length: 100\r\n\r\nless`]],
    ['two lengths', [`${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`]],
    ['a length and chunks', [`${ok}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`]],
    ['a length that is none', [`${ok}content-length: -1\r\n\r\n`]],
    ['a chunk that is none', [`${ok}transfer-encoding: chunked\r\n\r\nzz\r\n`]],
    ['chunks without an end', [`${ok}transfer-encoding: chunked\r\n\r\n4\r\nless\r\n`]],
    ['that one may go on', ['HTTP/1.1 100 Continue\r\n\r\n']],
    ['a header that folds', [`${ok}x-a: b\r\n c: d\r\n\r\n`]],
    ['a NUL in a header', [`${ok}x-a: b\0c\r\n\r\n`]],
    [
      'a change of the protocol',
      ['HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
    ],
    ['gzip that is none', [`${ok}content-encoding: gzip\r\ncontent-length: 4\r\n\r\nnone`]],
    ['gzip that breaks off', [`${ok}content-encoding: gzip\r\n\r\n`, gzipSync('x'.repeat(10_000)).subarray(0, 30)]],
    ['brotli that is none', [`${ok}content-encoding: br\r\ncontent-length: 4\r\n\r\nnone`]],
  ])('NETWORK_ERROR: %s', async (_, pieces) => {
    const server = await answering(...pieces);
    const result = await request({ url: server.url });
    expect(result).toMatchObject({ ok: false, error: { code: 'NETWORK_ERROR' } });
    expect(result.output).toEqual({ success: false });
    expect(server.connections()).toBe(1);
  });

  test('more than its content-length is not read', async () => {
    const server = await answering(`${ok}content-length: 4\r\n\r\nfour, and more\r\n`);
    const { content, output } = await request({ url: server.url });
    expect(output['bytes'] === 4 || content.includes('failed')).toBe(true);
    expect(content).not.toContain('more');
  });

  test('a server that half closes at once, and one that resets', async () => {
    const half = await startRawServer((socket) => void socket.end());
    expect(await codeOf(request({ url: half.url }))).toBe('NETWORK_ERROR');
    const reset = await startRawServer((socket) => void socket.resetAndDestroy());
    expect(await codeOf(request({ url: reset.url }))).toBe('NETWORK_ERROR');
  });

  test('a server that closes its side behind an answer without a length has answered', async () => {
    const server = await startRawServer((socket) => void socket.once('data', () => socket.end(`${ok}\r\nall of it`)));
    expect((await request({ url: server.url })).content).toContain('Its body:\nall of it');
  });

  test('nobody listens', async () => {
    const server = await startServer((_, response) => void response.end());
    const { port } = server;
    const gone = `http://127.0.0.1:${port === 1 ? 2 : 1}/`;
    const result = await request({ url: gone, method: 'POST' });
    expect(result).toMatchObject({ ok: false, error: { code: 'NETWORK_ERROR' }, output: { success: false } });
    expect(result.output['uncertain']).toBeUndefined();
  });

  test('a name that nobody knows', async () => {
    const { error, content } = await request({ url: 'https://nobody.example/' });
    expect(error?.code).toBe('NETWORK_ERROR');
    expect(content).toContain('Look at the spelling of the host.');
  });

  test('a host without an address', async () => {
    expect(await codeOf(request({ url: 'https://nobody.example/' }, { lookup: async () => [] }))).toBe('NETWORK_ERROR');
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'after a %s that was sent, nobody knows whether it was done',
    async (method) => {
      const server = await startServer((_, response) => void response.destroy());
      const { content, output, error } = await request({ url: server.url, method });
      expect({ output, code: error?.code }).toEqual({
        output: { success: false, uncertain: true },
        code: 'NETWORK_ERROR',
      });
      expect(content).toContain('It may have been carried out: look before you send it again.');
      expect(server.seen).toHaveLength(1);
    },
  );

  test.each(['GET', 'HEAD'])('a %s that failed has changed nothing, and is not sent again', async (method) => {
    const server = await startServer((_, response) => void response.destroy());
    const { output, error } = await request({ url: server.url, method });
    expect({ output, code: error?.code }).toEqual({ output: { success: false }, code: 'NETWORK_ERROR' });
    expect(server.seen).toHaveLength(1);
  });

  test('what a server says is no defect of ours, what a resolver of ours throws is', async () => {
    const lookup = (): never => {
      throw new TypeError('a defect');
    };
    await expect(request({ url: 'https://api.example/' }, { lookup })).rejects.toThrow('a defect');
  });
});

describe('TLS', () => {
  test('a certificate of an authority that is trusted', async () => {
    const server = await startServer((_, response) => void response.end('fine'), 'https');
    expect((await request({ url: server.url })).content).toContain('fine');
  });

  test.each([
    ['nobody trusts', { certificates: [] }, '127.0.0.1'],
    ['names another host', {}, 'unnamed.example'],
  ])('a certificate that %s is refused, and nothing was sent', async (_, options, host) => {
    const server = await startServer((_request, response) => void response.end(), 'https');
    const rules = { ...options, allowPrivate: [host], lookup: async () => ['127.0.0.1'] };
    const result = await request({ url: `https://${host}:${server.port}/`, method: 'POST', body: 'x' }, rules);
    expect(result).toMatchObject({ ok: false, error: { code: 'NETWORK_ERROR' }, output: { success: false } });
    expect(result.content).toContain('certificate');
    expect(result.output['uncertain']).toBeUndefined();
    expect(server.seen).toEqual([]);
  });

  test('no variable of the environment turns the check off', async () => {
    const server = await startServer((_, response) => void response.end(), 'https');
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      expect(await codeOf(request({ url: server.url }, { certificates: [] }))).toBe('NETWORK_ERROR');
    } finally {
      vi.unstubAllEnvs();
    }
    expect(server.seen).toEqual([]);
  });

  test('plain text where TLS is expected', async () => {
    const server = await startRawServer((socket) => void socket.end(`${ok}\r\nplain`));
    const url = server.url.replace('http:', 'https:');
    expect(await codeOf(request({ url }))).toBe('NETWORK_ERROR');
  });
});
