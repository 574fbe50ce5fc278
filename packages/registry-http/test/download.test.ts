import { parsePackName, SkillsError, type PackRegistry } from '@skillpack/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpRegistry, type HttpRegistryOptions } from '../src/client/http-registry.js';
import { downloadArchive } from '../src/client/download-archive.js';
import { download } from '../src/http/download.js';
import { createHttpClient } from '../src/http/http-client.js';
import type { Receiver } from '../src/http/receiver.js';
import type { HttpEvent } from '../src/http/http-options.js';
import { certificate, someBytes, startServer, testPorts, type TestServer } from './test-server.js';

const file = someBytes(300_000);
const blob = { digest: file.digest, size: file.bytes.length };

function registryAt({ url }: TestServer, options: HttpRegistryOptions = {}, ports = testPorts()) {
  return createHttpRegistry(url, ports, options);
}

/** A blob as it comes to a sink, and how often it began anew. */
async function copied(registry: PackRegistry): Promise<{ readonly bytes: Buffer; readonly restarts: number }> {
  const pieces: Uint8Array[] = [];
  let restarts = 0;
  const restart = (): void => {
    restarts += 1;
    pieces.length = 0;
  };
  // Copied, since a piece may be reused once it was taken.
  await registry.copyBlob?.(blob, { write: (chunk) => void pieces.push(Uint8Array.from(chunk)), restart });
  return { bytes: Buffer.concat(pieces), restarts };
}

const archive = { maxBytes: 1_000_000 };

test('a download that breaks off is continued where it was, when the representation is the same', async () => {
  const server = await startServer((request, response) => {
    const from = Number(/^bytes=(\d+)-$/u.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from === 0 ? 200 : 206, {
      etag: '"one"',
      'content-length': file.bytes.length - from,
      ...(from === 0 ? {} : { 'content-range': `bytes ${from}-${file.bytes.length - 1}/${file.bytes.length}` }),
    });
    const until = Math.min(from + 100_000, file.bytes.length);
    response.write(file.bytes.subarray(from, until), () =>
      until === file.bytes.length ? response.end() : response.destroy(),
    );
  });
  const events: HttpEvent[] = [];
  const registry = registryAt(server, { retries: 1, onEvent: (event) => events.push(event) });
  const bytes = await registry.getBlob(blob);
  expect(file.bytes.equals(bytes)).toBe(true);
  expect(server.seen.length).toBeGreaterThan(2);
  for (const { headers } of server.seen.slice(1)) expect(headers).toMatchObject({ 'if-range': '"one"' });
  expect(events).toContainEqual({
    kind: 'resume',
    url: expect.stringContaining(server.url),
    offset: expect.any(Number),
  });
});

test.each([
  ['answers the whole of the new one', { status: 200, etag: '"two"', from: undefined }],
  ['answers a part of the new one all the same', { status: 206, etag: '"two"', from: undefined }],
  ['answers a part from another place', { status: 206, etag: '"one"', from: 5 }],
  ['answers that there is no such part', { status: 416, etag: '"two"', from: undefined }],
])('two representations are never spliced: a server that %s', async (_, second) => {
  const changed = someBytes(200_000, 9).bytes;
  let count = 0;
  const server = await startServer((request, response) => {
    count += 1;
    if (count === 1) {
      response.writeHead(200, { etag: '"one"', 'content-length': file.bytes.length });
      response.write(file.bytes.subarray(0, 90_000), () => setTimeout(() => response.destroy(), 20));
    } else if (request.headers.range === undefined || second.status === 200) {
      response.writeHead(200, { etag: '"two"', 'content-length': changed.length }).end(changed);
    } else {
      const from = second.from ?? Number(/\d+/u.exec(request.headers.range)?.[0]);
      const range =
        second.status === 206 ? `bytes ${from}-${changed.length - 1}/${changed.length}` : `bytes */${changed.length}`;
      response.writeHead(second.status, { etag: second.etag, 'content-range': range });
      response.end(second.status === 206 ? changed.subarray(from) : undefined);
    }
  });
  const bytes = await downloadArchive(server.url, testPorts(), archive);
  expect(changed.equals(bytes)).toBe(true);
});

test('a limit is of the whole file, however many parts it comes in', async () => {
  const limit = 100_000;
  const server = await startServer((request, response) => {
    const from = Number(/^bytes=(\d+)-$/u.exec(request.headers.range ?? '')?.[1] ?? 0);
    // No length is announced, so that only what arrives can tell.
    const range = { 'content-range': `bytes ${from}-${file.bytes.length - 1}/${file.bytes.length}` };
    response.writeHead(from === 0 ? 200 : 206, { etag: '"one"', ...(from === 0 ? {} : range) });
    const part = file.bytes.subarray(from, Math.min(from + 60_000, file.bytes.length));
    if (from + part.length === file.bytes.length) response.end(part);
    else response.write(part, () => setTimeout(() => response.destroy(), 20));
  });
  let received = 0;
  const onProgress = (bytes: number): void => void (received += bytes);
  await expect(
    downloadArchive(server.url, testPorts(), { maxBytes: limit, onProgress, retries: 5 }),
  ).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  expect(server.seen).toHaveLength(2);
  expect(received).toBeLessThanOrEqual(limit);
});

test('no memory is taken for more than the limit, whatever is announced', async () => {
  const expected: number[] = [];
  const into: Receiver = {
    length: 0,
    restart: (bytes) => void expected.push(bytes),
    add: () => undefined,
    digest: () => file.digest,
  };
  const server = await startServer((request, response) => {
    response.writeHead(200, { 'content-length': Number(request.url?.slice(1)) }).end();
  });
  const client = createHttpClient({ namedHost: '127.0.0.1' }, testPorts(), { retries: 0 });
  for (const announced of [1000, 1001, 4_000_000_000]) {
    const url = new URL(`${server.url}${announced}`);
    await download({ url, into, maxBytes: 1000 }, client).catch(() => undefined);
  }
  await client.close();
  expect(expected.filter((bytes) => bytes > 0)).toEqual([1000]);
});

test('a part that nobody asked for is not taken for the file', async () => {
  const server = await startServer((_, response) => {
    const last = file.bytes.length - 1;
    if (server.seen.length > 1) response.end(file.bytes);
    else response.writeHead(206, { 'content-range': `bytes 0-${last}/${last + 1}` }).end(someBytes(300_000, 3).bytes);
  });
  const bytes = await downloadArchive(server.url, testPorts(), archive);
  expect(file.bytes.equals(bytes)).toBe(true);
  expect(server.seen.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
});

test('without a strong ETag a broken download begins anew', async () => {
  const server = await startServer((_, response) => {
    response.writeHead(200, { etag: 'W/"weak"', 'content-length': file.bytes.length });
    if (server.seen.length > 1) response.end(file.bytes);
    else response.write(file.bytes.subarray(0, 50_000), () => setTimeout(() => response.destroy(), 20));
  });
  expect(file.bytes.equals(await registryAt(server).getBlob(blob))).toBe(true);
  expect(server.seen.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
});

test('a copy that breaks off is continued, or begins anew and says so', async () => {
  const answer = (etag: string) =>
    startServer((request, response) => {
      const from = Number(/^bytes=(\d+)-$/u.exec(request.headers.range ?? '')?.[1] ?? 0);
      const range = { 'content-range': `bytes ${from}-${file.bytes.length - 1}/${file.bytes.length}` };
      response.writeHead(from === 0 ? 200 : 206, { etag, ...(from === 0 ? {} : range) });
      if (from > 0 || request.headers.range !== undefined) response.end(file.bytes.subarray(from));
      else if (etag.startsWith('W/') && first) response.end(file.bytes);
      else response.write(file.bytes.subarray(0, 50_000), () => setTimeout(() => response.destroy(), 20));
      first = true;
    });
  let first = false;
  const continued = await copied(registryAt(await answer('"one"')));
  expect(continued).toEqual({ bytes: file.bytes, restarts: 0 });
  first = false;
  const anew = await copied(registryAt(await answer('W/"weak"')));
  expect(anew).toEqual({ bytes: file.bytes, restarts: 1 });
});

test('a copy of bytes with another digest is INTEGRITY_MISMATCH, and a sink that fails is not asked again', async () => {
  const lying = await startServer((_, response) => void response.end(someBytes(300_000, 3).bytes));
  await expect(copied(registryAt(lying))).rejects.toMatchObject({ code: 'INTEGRITY_MISMATCH' });
  const server = await startServer((_, response) => void response.end(file.bytes));
  const full = new SkillsError('IO_ERROR', 'There is no room.');
  const sink = {
    write(): void {
      throw full;
    },
    restart: () => undefined,
  };
  await expect(registryAt(server).copyBlob?.(blob, sink)).rejects.toBe(full);
  expect(lying.seen.length + server.seen.length).toBe(2);
});

test('a download that keeps breaking off without getting on is given up', async () => {
  const server = await startServer((_, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.flushHeaders();
    setTimeout(() => response.destroy(), 5);
  });
  const ports = testPorts();
  await expect(registryAt(server, { retries: 2 }, ports).getBlob(blob)).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
  });
  expect(server.seen).toHaveLength(3);
  expect(ports.delays).toEqual([250, 500]);
});

test('bytes with another digest are INTEGRITY_MISMATCH', async () => {
  const server = await startServer((_, response) => void response.end(someBytes(300_000, 3).bytes));
  await expect(registryAt(server).getBlob(blob)).rejects.toMatchObject({
    code: 'INTEGRITY_MISMATCH',
    data: { expected: file.digest },
  });
  expect(server.seen).toHaveLength(1);
});

test('more bytes than expected are FILE_TOO_LARGE: announced, they are not even read', async () => {
  let sent = 0;
  const announced = await startServer((_, response) => {
    response.writeHead(200, { 'content-length': 10_000_000_000 });
    response.write(Buffer.alloc(16_384), () => (sent += 1));
  });
  await expect(registryAt(announced).getBlob(blob)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  expect(sent).toBeLessThan(2);
  const endless = await startServer((_, response) => {
    const more = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536), more));
    more();
  });
  await expect(registryAt(endless).getBlob(blob)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  expect(announced.seen.length + endless.seen.length).toBe(2);
});

test('a blob that an index says is larger than the limit is not asked for', async () => {
  const server = await startServer((_, response) => void response.end());
  const request = { digest: file.digest, size: 65 * 1024 * 1024 };
  await expect(registryAt(server).getBlob(request)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  expect(server.seen).toEqual([]);
});

test('a content-encoding on an archive is refused, since its digest would be of other bytes', async () => {
  const server = await startServer((request, response) => {
    expect(request.headers['accept-encoding']).toBe('identity');
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(file.bytes);
  });
  await expect(registryAt(server).getBlob(blob)).rejects.toMatchObject({
    code: 'REGISTRY_ERROR',
    data: { actual: 'gzip' },
  });
});

describe.each(['http', 'https', 'http2'] as const)('by %s', (kind) => {
  const secured = kind === 'http' ? {} : { certificates: [certificate] };

  test.each([
    ['sends no headers', 'headers', 'no answer in time', () => undefined],
    [
      'stalls in the middle',
      'idle',
      'nothing more of the answer came in time',
      (response: { write(bytes: Buffer): unknown }) => response.write(file.bytes.subarray(0, 9)),
    ],
  ] as const)('a server that %s is TIMEOUT, and what did not come is told', async (_, timeout, words, behave) => {
    const server = await startServer((__, response) => void behave(response), kind);
    const registry = registryAt(server, { ...secured, retries: 0, timeouts: { [timeout]: 200 } });
    await expect(registry.getBlob(blob)).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining(words),
    });
    await registry.close();
  });
});

test.each(['http', 'https'])('by %s, a connection that never stands is TIMEOUT, and told as such', async (protocol) => {
  // A name that is never resolved is one way to get no connection.
  const ports = { ...testPorts(), lookup: () => new Promise<never>(() => undefined) };
  const options = { retries: 0, timeouts: { connect: 200 } };
  const registry = createHttpRegistry(`${protocol}://localhost:9/`, ports, options);
  await expect(registry.getBlob(blob)).rejects.toMatchObject({
    code: 'TIMEOUT',
    message: expect.stringContaining('no connection in time'),
  });
});

test.each([
  ['connect', 'no connection in time'],
  ['read', 'nothing more of the answer came in time'],
])('what the system gives up at %s is told as what it is', async (syscall, words) => {
  const lookup = () => Promise.reject(Object.assign(new Error('late'), { code: 'ETIMEDOUT', syscall }));
  const registry = createHttpRegistry('http://localhost:9/', { ...testPorts(), lookup }, { retries: 0 });
  await expect(registry.getBlob(blob)).rejects.toMatchObject({
    code: 'TIMEOUT',
    message: expect.stringContaining(`${words} (ETIMEDOUT)`),
  });
});

test('an answer that changes the protocol ends the request, long before any deadline', async () => {
  const server = await startServer((_, response) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
  });
  await expect(registryAt(server, { retries: 0 }).getBlob(blob)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
}, 10_000);

test('an answer may take longer than its connection did', async () => {
  const server = await startServer((_, response) => void setTimeout(() => response.end(file.bytes), 400));
  const registry = registryAt(server, { retries: 0, timeouts: { connect: 200 } });
  expect(file.bytes.equals(await registry.getBlob(blob))).toBe(true);
});

test('a connection that is used again has no watch of an answer before', async () => {
  const server = await startServer((_, response) => void response.end(file.bytes));
  const registry = registryAt(server, { timeouts: { idle: 200 } });
  const warnings: string[] = [];
  const warned = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  for (let count = 0; count < 15; count += 1) expect(file.bytes.equals(await registry.getBlob(blob))).toBe(true);
  await new Promise(setImmediate);
  // Of more than ten listeners on one connection, Node warns.
  expect(warnings).toEqual([]);
  await registry.close();
});

test('a server that drips is TIMEOUT, though it is never idle', async () => {
  const server = await startServer((_, response) => {
    const drip = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drip));
  });
  const registry = registryAt(server, { retries: 0, timeouts: { rateWindow: 300, minimumRate: 1000 } });
  await expect(registry.getBlob(blob)).rejects.toMatchObject({
    code: 'TIMEOUT',
    message: expect.stringContaining('slow'),
  });
});

test('one deadline holds for an operation with all its retries', async () => {
  const server = await startServer((_, response) => {
    response.writeHead(200, { etag: '"one"', 'content-length': file.bytes.length });
    response.write(file.bytes.subarray(0, 10), () => setTimeout(() => response.destroy(), 30));
  });
  const registry = registryAt(server, { retries: 1_000, timeouts: { total: 250 } });
  await expect(registry.getBlob(blob)).rejects.toMatchObject({ code: 'TIMEOUT', data: { milliseconds: 250 } });
});

test('an abort in the middle is INTERRUPTED', async () => {
  const controller = new AbortController();
  const server = await startServer((_, response) => {
    response.write(file.bytes.subarray(0, 100));
    setTimeout(() => controller.abort(), 20);
  });
  const outcome = registryAt(server).getBlob(blob, { signal: controller.signal });
  await expect(outcome).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(server.seen).toHaveLength(1);
});

test('500 then 200 is a success, and the wait before it has a random part', async () => {
  const server = await startServer((_, response) => {
    if (server.seen.length < 3) response.writeHead(500).end('oops');
    else response.end(file.bytes);
  });
  const events: HttpEvent[] = [];
  const ports = testPorts({ random: () => 0 });
  const registry = registryAt(server, { onEvent: (event) => events.push(event) }, ports);
  expect(file.bytes.equals(await registry.getBlob(blob))).toBe(true);
  expect(events.map((event) => (event.kind === 'retry' ? event.delay : event.kind))).toEqual([125, 250]);
});

test.each([
  ['seconds', () => '7'],
  ['a date', () => new Date(7_000).toUTCString()],
])('429 is waited for as long as Retry-After says, in %s', async (_, after) => {
  const server = await startServer((__, response) => {
    if (server.seen.length === 1) response.writeHead(429, { 'retry-after': after() }).end();
    else response.end(file.bytes);
  });
  const ports = testPorts({ now: () => 0 });
  await registryAt(server, {}, ports).getBlob(blob);
  expect(ports.delays).toEqual([7_000]);
});

test('a Retry-After of hours is not waited for, but told', async () => {
  const server = await startServer((_, response) => void response.writeHead(503, { 'retry-after': '7200' }).end());
  const error: unknown = await registryAt(server)
    .getBlob(blob)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'REGISTRY_ERROR', hint: 'Try again in 7200 seconds.', data: { status: 503 } });
  expect(server.seen).toHaveLength(1);
});

test.each([
  [401, 'UNAUTHORIZED'],
  [403, 'UNAUTHORIZED'],
  [418, 'REGISTRY_ERROR'],
  [204, 'REGISTRY_ERROR'],
] as const)('status %i is %s at once, with the URL, what was expected and what came', async (status, code) => {
  const server = await startServer((_, response) => void response.writeHead(status).end());
  const error: unknown = await registryAt(server)
    .getBlob(blob)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code, message: expect.stringContaining(String(status)), data: { status } });
  if (SkillsError.is(error)) expect(error.message).toContain(`GET ${server.url}blobs/sha256/`);
  if (code === 'UNAUTHORIZED') expect(error).toMatchObject({ hint: expect.stringContaining('SKILLS_TOKEN') });
  expect(server.seen).toHaveLength(1);
});

test('a refused connection is NETWORK_ERROR and names the URL', async () => {
  const server = await startServer(() => undefined);
  const url = `http://127.0.0.1:${server.port === 1 ? 2 : 1}/`;
  const registry = createHttpRegistry(url, testPorts(), { retries: 0 });
  await expect(registry.getPack(parsePackName('org/pdf'))).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
    message: expect.stringContaining(`GET ${url}packs/org/pdf.ndjson failed: ECONNREFUSED`),
    data: { code: 'ECONNREFUSED' },
  });
});

test('an archive by its URL: what is not there is FILE_NOT_FOUND, secrets in the URL are not shown', async () => {
  const server = await startServer((_, response) => void response.writeHead(404).end());
  const error: unknown = await downloadArchive(`${server.url}a.tgz?token=s3cret`, testPorts(), archive).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'FILE_NOT_FOUND', message: expect.not.stringContaining('s3cret') });
  expect(server.seen[0]?.url).toBe('/a.tgz?token=s3cret');
});
