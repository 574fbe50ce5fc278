import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SkillsError, parsePackName } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { createHttpRegistry, type HttpRegistryOptions } from '../src/client/http-registry.js';
import type { HttpEvent } from '../src/http/http-options.js';
import { indexOf, someBytes, startServer, temporaryFolder, testPorts, type TestServer } from './test-server.js';

const name = parsePackName('org/pdf');
const file = someBytes(1_000);
const blob = { digest: file.digest, size: file.bytes.length };

type Answer = Parameters<Parameters<typeof startServer>[0]>[1];

/** A server that answers as a function says, once it is set. */
async function startChanging(): Promise<TestServer & { answer: (response: Answer, ifNoneMatch?: string) => void }> {
  const state: { answer: (response: Answer, ifNoneMatch?: string) => void } = {
    answer: (response) => void response.writeHead(404).end(),
  };
  const server = await startServer((request, response) => state.answer(response, request.headers['if-none-match']));
  return Object.assign(state, server);
}

async function cached(server: TestServer, options: HttpRegistryOptions = {}) {
  const cacheDir = options.cacheDir ?? (await temporaryFolder());
  const clock = { now: Date.parse('2026-11-21T00:00:00Z') };
  const events: HttpEvent[] = [];
  const ports = testPorts({ now: () => clock.now });
  const make = (more: HttpRegistryOptions = {}) =>
    createHttpRegistry(server.url, ports, { cacheDir, onEvent: (event) => events.push(event), ...options, ...more });
  return { registry: make(), make, clock, events, cacheDir };
}

const answerWith =
  (description: string, headers: Record<string, string> = {}) =>
  (response: Answer): void =>
    void response.writeHead(200, headers).end(indexOf(name, description));

describe('the cache of documents', () => {
  test('a fresh document is not asked for, a stale one conditionally, a changed one is taken', async () => {
    const server = await startChanging();
    server.answer = answerWith('One.', { etag: '"1"', 'cache-control': 'public, max-age=60' });
    const { registry, clock } = await cached(server);
    expect((await registry.getPack(name)).head.description).toBe('One.');
    clock.now += 59_000;
    expect((await registry.getPack(name)).head.description).toBe('One.');
    expect(server.seen).toHaveLength(1);

    clock.now += 2_000;
    server.answer = (response, condition) => {
      expect(condition).toBe('"1"');
      response.writeHead(304, { etag: '"1"', 'cache-control': 'max-age=60' }).end();
    };
    expect((await registry.getPack(name)).head.description).toBe('One.');
    await registry.getPack(name);
    expect(server.seen).toHaveLength(2);

    clock.now += 61_000;
    server.answer = answerWith('Two.', { etag: '"2"' });
    expect((await registry.getPack(name)).head.description).toBe('Two.');
  });

  test('a server cannot make a client blind for more than a day, nor can a clock that was set back', async () => {
    const server = await startChanging();
    server.answer = answerWith('One.', { etag: '"1"', 'cache-control': 'max-age=999999999' });
    const { registry, clock } = await cached(server);
    await registry.getPack(name);
    clock.now += 24 * 60 * 60 * 1000;
    server.answer = answerWith('Two.', { 'cache-control': 'max-age=3600' });
    expect((await registry.getPack(name)).head.description).toBe('Two.');
    clock.now -= 60 * 60 * 1000;
    server.answer = answerWith('Three.', { 'cache-control': 'no-store, max-age=60' });
    expect((await registry.getPack(name)).head.description).toBe('Three.');
    expect((await registry.getPack(name)).head.description).toBe('Three.');
    expect(server.seen).toHaveLength(4);
  });

  test('offline, all comes from the cache, whatever its age, or is OFFLINE', async () => {
    const server = await startChanging();
    server.answer = answerWith('One.');
    const { registry, make, clock } = await cached(server);
    await registry.getPack(name);
    clock.now += 365 * 24 * 60 * 60 * 1000;
    const offline = make({ offline: true });
    expect((await offline.getPack(name)).head.description).toBe('One.');
    await expect(offline.getPack(parsePackName('org/other'))).rejects.toMatchObject({ code: 'OFFLINE' });
    await expect(offline.getBlob(blob)).rejects.toMatchObject({ code: 'OFFLINE' });
    await expect(offline.getRevocations()).rejects.toMatchObject({ code: 'OFFLINE' });
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ['fails', (response: Answer): void => void response.writeHead(503).end(), 'REGISTRY_ERROR'],
    ['breaks off', (response: Answer): void => void response.destroy(), 'NETWORK_ERROR'],
    [
      'answers nonsense',
      (response: Answer): void => void response.end('<html>Sign in to the Wi-Fi</html>'),
      'INVALID_INDEX',
    ],
  ] as const)('a server that %s is covered by what is cached, and an event says so', async (_, answer, code) => {
    const server = await startChanging();
    server.answer = answerWith('One.', { etag: '"1"' });
    const { registry, clock, events } = await cached(server);
    await registry.getPack(name);
    clock.now += 5_000;
    server.answer = answer;
    expect((await registry.getPack(name)).head.description).toBe('One.');
    const url = `${server.url}packs/org/pdf.ndjson`;
    expect(events.filter(({ kind }) => kind === 'stale')).toEqual([
      { kind: 'stale', url, age: 5_000, reason: expect.any(String) },
    ]);
    await expect(registry.getPack(parsePackName('org/other'))).rejects.toMatchObject({ code });
  });

  test('what a server forbids to keep is not kept', async () => {
    const server = await startChanging();
    server.answer = answerWith('One.', { etag: '"1"', 'cache-control': 'no-store' });
    const { registry, cacheDir } = await cached(server);
    await registry.getPack(name);
    expect(await readdir(cacheDir)).toEqual([]);
  });

  test('a refusal is not covered: neither 401 nor 404', async () => {
    const server = await startChanging();
    server.answer = answerWith('One.');
    const { registry } = await cached(server);
    await registry.getPack(name);
    server.answer = (response) => void response.writeHead(401).end();
    await expect(registry.getPack(name)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    server.answer = (response) => void response.writeHead(404).end();
    await expect(registry.getPack(name)).rejects.toMatchObject({ code: 'PACK_NOT_FOUND' });
  });

  test('a damaged, foreign or hostile entry is a miss, and is replaced', async () => {
    const server = await startChanging();
    server.answer = answerWith('One.', { 'cache-control': 'max-age=60' });
    const { registry, cacheDir } = await cached(server);
    await registry.getPack(name);
    const [entry = ''] = await readdir(cacheDir);
    const path = join(cacheDir, entry);
    const good = await readFile(path);
    const hostile = [
      good.subarray(0, 20),
      good.subarray(0, good.length - 5),
      Buffer.from(good.toString().replace('One.', 'Two.')),
      Buffer.from(good.toString().replace('"url":"http:', '"url":"https:')),
      Buffer.from(good.toString().replace(/"maxAge":\d+/u, '"maxAge":1e300')),
      Buffer.from(good.toString().replace('"formatVersion":1,', '"formatVersion":2,')),
      Buffer.from('null\n'),
      Buffer.alloc(0),
    ];
    for (const [index, bytes] of hostile.entries()) {
      await writeFile(path, bytes);
      expect((await registry.getPack(name)).head.description).toBe('One.');
      expect(server.seen).toHaveLength(index + 2);
      expect((await readFile(path)).equals(good)).toBe(true);
    }
    await registry.getPack(name);
    expect(server.seen).toHaveLength(hostile.length + 1);
    expect((await readdir(cacheDir)).filter((other) => other !== entry)).toEqual([]);
  });

  test('an entry that is true to itself but no index is parsed again, not believed', async () => {
    const server = await startChanging();
    server.answer = (response) => void response.writeHead(200, { 'cache-control': 'max-age=3600' }).end('no index');
    const { registry } = await cached(server);
    await expect(registry.getPack(name)).rejects.toMatchObject({ code: 'INVALID_INDEX' });
    server.answer = answerWith('One.');
    expect((await registry.getPack(name)).head.description).toBe('One.');
  });

  test('a cache that cannot be written is no error', async () => {
    const server = await startChanging();
    server.answer = answerWith('One.');
    const folder = await temporaryFolder();
    await symlink(join(folder, 'nowhere/at/all'), join(folder, 'cache'));
    const { registry } = await cached(server, { cacheDir: join(folder, 'cache') });
    expect((await registry.getPack(name)).head.description).toBe('One.');
    expect(await readdir(folder)).toEqual(['cache']);
  });
});

describe('bodies of documents', () => {
  test('gzip is asked for and unpacked', async () => {
    const server = await startServer((request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(indexOf(name, 'Packed.')));
    });
    const { head } = await createHttpRegistry(server.url, testPorts()).getPack(name);
    expect(head.description).toBe('Packed.');
  });

  test('a gzip bomb is FILE_TOO_LARGE before it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024, ' '));
    const server = await startServer(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const before = process.memoryUsage().rss;
    const registry = createHttpRegistry(server.url, testPorts());
    await expect(registry.getPack(name)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  test.each([
    ['br', indexOf(name)],
    ['gzip', 'this is not gzip'],
    ['gzip, gzip', gzipSync(gzipSync(indexOf(name)))],
  ])('a document in the coding “%s” that cannot be is REGISTRY_ERROR', async (coding, body) => {
    const server = await startServer(
      (_, response) => void response.writeHead(200, { 'content-encoding': coding }).end(body),
    );
    await expect(createHttpRegistry(server.url, testPorts()).getPack(name)).rejects.toMatchObject({
      code: 'REGISTRY_ERROR',
    });
  });
});

describe('the places of a registry', () => {
  test('a cold install is two requests: the index and the archive', async () => {
    const server = await startServer((request, response) => {
      response.end(request.url === '/base/packs/org/pdf.ndjson' ? indexOf(name) : file.bytes);
    });
    const registry = createHttpRegistry(`${server.url}base`, testPorts());
    await registry.getPack(name);
    await registry.getBlob(blob);
    const hex = file.digest.slice('sha256:'.length);
    expect(server.seen.map(({ url }) => url)).toEqual(['/base/packs/org/pdf.ndjson', `/base/blobs/sha256/${hex}`]);
    expect(registry.location).toBe(`${server.url}base/`);
  });

  test('what is not at its default place is looked for where registry.json says, which is read once', async () => {
    const info = { formatVersion: 1, id: 'x', name: 'x', packs: 'index', blobs: '/elsewhere/', revocations: 'r.json' };
    const hex = file.digest.slice('sha256:'.length);
    const answers: Record<string, string | Buffer> = {
      '/registry.json': JSON.stringify(info),
      '/index/org/pdf.ndjson': indexOf(name),
      [`/elsewhere/sha256/${hex}`]: file.bytes,
      '/r.json': JSON.stringify({ formatVersion: 1, revoked: [{ digest: file.digest, reason: 'Malware.' }] }),
    };
    const server = await startServer((request, response) => {
      const answer = answers[request.url ?? ''];
      if (answer === undefined) response.writeHead(404).end();
      else response.end(answer);
    });
    const registry = createHttpRegistry(server.url, testPorts());
    expect((await registry.getPack(name)).head.name).toBe(name);
    expect(file.bytes.equals(await registry.getBlob(blob))).toBe(true);
    expect(await registry.getRevocations()).toEqual([{ digest: file.digest, reason: 'Malware.' }]);
    await expect(registry.getPack(parsePackName('org/other'))).rejects.toMatchObject({ code: 'PACK_NOT_FOUND' });
    expect(server.seen.filter(({ url }) => url === '/registry.json')).toHaveLength(1);
  });

  test('where there is no registry.json, the address may be wrong', async () => {
    const answers: Record<string, string> = { '/registry/registry.json': '{"formatVersion":1,"id":"x","name":"x"}' };
    const server = await startServer((request, response) => {
      const answer = answers[request.url ?? ''];
      if (answer === undefined) response.writeHead(404).end();
      else response.end(answer);
    });
    const hintAt = (path: string) =>
      createHttpRegistry(server.url + path, testPorts())
        .getPack(name)
        .catch((error: unknown) => (SkillsError.is(error, 'PACK_NOT_FOUND') ? error.hint : error));
    expect(await hintAt('elsewhere/')).toContain('Or there is no registry at this address: it has no registry.json.');
    expect(await hintAt('registry/')).toMatch(/^Look at the spelling(?!.*no registry)/u);
  });

  test('that a registry revokes nothing is remembered for five minutes', async () => {
    const server = await startServer((_, response) => void response.writeHead(404).end());
    const { make, clock } = await cached(server);
    expect(await make().getRevocations()).toEqual([]);
    const first = server.seen.length;
    expect(await make().getRevocations()).toEqual([]);
    expect(server.seen).toHaveLength(first);
    clock.now += 5 * 60 * 1000;
    expect(await make().getRevocations()).toEqual([]);
    expect(server.seen.length).toBeGreaterThan(first);
  });

  test('that a pack is not there is not remembered, since it may be published the next moment', async () => {
    const server = await startChanging();
    const { make } = await cached(server);
    await expect(make().getPack(name)).rejects.toMatchObject({ code: 'PACK_NOT_FOUND' });
    server.answer = answerWith('Published.');
    expect((await make().getPack(name)).head.description).toBe('Published.');
  });

  test('revocations that cannot be had are an error, not an empty list', async () => {
    const server = await startServer((_, response) => void response.writeHead(500).end());
    const registry = createHttpRegistry(server.url, testPorts());
    await expect(registry.getRevocations()).rejects.toMatchObject({ code: 'REGISTRY_ERROR' });
  });

  test('a search asks each time which catalogue is the present one, and reads that one once', async () => {
    let generation = 'one';
    const server = await startServer((request, response) => {
      const fresh = { 'cache-control': 'max-age=60', etag: `"${generation}"` };
      const same = request.headers['if-none-match'] === fresh.etag;
      if (same) response.writeHead(304, fresh).end();
      else if (request.url === '/search/latest.json') {
        const pointer = { formatVersion: 1, generation, catalogue: `search/${generation}/catalogue.ndjson`, packs: 1 };
        response.writeHead(200, fresh).end(JSON.stringify(pointer));
      } else {
        const found = { name: 'org/pdf', version: '1.0.0', description: `Of ${generation}.` };
        response.writeHead(200, fresh).end(`{"formatVersion":1,"packs":1}\n${JSON.stringify(found)}\n`);
      }
    });
    const { make } = await cached(server);
    const found = async () => (await make().search('pdf')).map(({ description }) => description);
    expect([await found(), await found()]).toEqual([['Of one.'], ['Of one.']]);
    generation = 'two';
    expect(await found()).toEqual(['Of two.']);
    expect(server.seen.filter(({ url }) => url.includes('catalogue'))).toHaveLength(2);
    expect(server.seen.filter(({ url }) => url.includes('latest'))).toHaveLength(3);
  });

  test('a registry that says it has no search says so when it is searched', async () => {
    const server = await startServer((request, response) => {
      if (request.url === '/registry.json') response.end(JSON.stringify({ formatVersion: 1, id: 'x', name: 'x' }));
      else response.writeHead(404).end();
    });
    await expect(createHttpRegistry(server.url, testPorts()).search('pdf')).rejects.toMatchObject({
      code: 'REGISTRY_ERROR',
      message: expect.stringContaining('no search'),
    });
  });

  test('an index that speaks of another pack is refused', async () => {
    const server = await startServer((_, response) => void response.end(indexOf('evil/pdf')));
    await expect(createHttpRegistry(server.url, testPorts()).getPack(name)).rejects.toMatchObject({
      code: 'INVALID_INDEX',
    });
  });
});
