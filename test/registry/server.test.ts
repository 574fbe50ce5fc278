import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { sha256 } from '@skillpack/cli-dist';
import { parsePackName, SkillsError, type PublishRequest } from '@skillpack/core';
import { createMemoryRegistry, makePack, skillText } from '@skillpack/core/testing';
import { createHttpRegistry } from '@skillpack/registry-http';
import {
  createFolderRegistry,
  createRegistryServer,
  serveRegistry,
  type RegistryServerOptions,
  type ServeOptions,
} from '@skillpack/registry-http/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { archivePorts, httpPorts, packPorts } from './ports.js';
import { temporaryFolder } from './temporary-folder.js';

const name = parsePackName('org/pdf');
const pack = makePack({ name, version: '1.0.0' }, packPorts);
const authorization = 'Bearer s3cret';
const gzip = { authorization, 'content-type': 'application/gzip' };

async function serve(options: RegistryServerOptions = {}, serving: ServeOptions = {}, place?: string) {
  const folder = join(place ?? (await temporaryFolder()), 'registry');
  const registry = createFolderRegistry(folder, archivePorts);
  const handler = createRegistryServer(registry, archivePorts, { tokens: [{ token: 's3cret' }], ...options });
  const server = await serveRegistry(handler, serving);
  onTestFinished(() => server.close(0));
  return { folder, registry, ...server, at: (path: string) => server.url + path };
}

/** Sends bytes as they are and reads until the server closes: what no client library would send. */
async function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('latin1');
    socket.on('data', (piece) => (answer += piece.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const put = (headers: Record<string, string>, body: Uint8Array = pack.archive): RequestInit => ({
  method: 'PUT',
  headers,
  body: Buffer.from(body),
});

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

async function codeOf(response: Response): Promise<string> {
  const document = (await response.json()) as { error: { code: string; message: string } };
  expect(document.error.message).not.toMatch(/\/tmp|node_modules|\n\s+at /u);
  return document.error.code;
}

describe('static files', () => {
  test('carry an ETag and a lifetime, and are not sent again to who has them', async () => {
    const { registry, at } = await serve();
    await registry.publish(pack);
    const hex = pack.digest.slice(7);
    const files: [string, string, string][] = [
      ['registry.json', 'application/json', 'max-age=60'],
      ['packs/org/pdf.ndjson', 'application/x-ndjson', 'max-age=60'],
      ['versions/org/pdf/1.0.0.json', 'application/json', 'immutable'],
      [`blobs/sha256/${hex}`, 'application/octet-stream', 'immutable'],
      ['search/latest.json', 'application/json', 'max-age=60'],
      ['revocations/latest.json', 'application/json', 'max-age=60'],
      ['.well-known/agent-skills/index.json', 'application/json', 'max-age=60'],
      ['.well-known/agent-skills/org/pdf/1.0.0/pdf/SKILL.md', 'text/markdown', 'immutable'],
    ];
    for (const [path, type, lifetime] of files) {
      const first = await fetch(at(path));
      expect([path, first.status]).toEqual([path, 200]);
      expect(first.headers.get('content-type')).toContain(type);
      expect(first.headers.get('cache-control')).toContain(lifetime);
      expect(first.headers.get('x-content-type-options')).toBe('nosniff');
      const etag = first.headers.get('etag') ?? '';
      const body = await bytesOf(first);
      expect(first.headers.get('content-length')).toBe(String(body.length));
      const again = await fetch(at(path), { headers: { 'if-none-match': `"other", W/${etag}` } });
      expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0]);
      const head = await fetch(at(path), { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(body.length)]);
    }
    const etag = (await fetch(at(`blobs/sha256/${hex}`))).headers.get('etag');
    expect(etag).toBe(`"${hex}"`);
  });

  test.each([
    ['bytes=0-9', 206, 0, 10],
    ['bytes=10-', 206, 10, undefined],
    ['bytes=-5', 206, -5, undefined],
    ['bytes=0-999999999', 206, 0, undefined],
    ['bytes=5-2', 200, 0, undefined],
    ['bytes=0-1,3-4', 200, 0, undefined],
    ['lines=1-2', 200, 0, undefined],
    ['bytes=999999999-', 416, 0, 0],
    ['bytes=-0', 416, 0, 0],
  ])('a range of a blob: %s is %i', async (range, status, from, to) => {
    const { registry, at } = await serve();
    await registry.publish(pack);
    const response = await fetch(at(`blobs/sha256/${pack.digest.slice(7)}`), { headers: { range } });
    expect(response.status).toBe(status);
    expect((await bytesOf(response)).equals(pack.archive.slice(from, to))).toBe(true);
  });

  test('a range with another If-Range is the whole', async () => {
    const { registry, at } = await serve();
    await registry.publish(pack);
    const headers = { range: 'bytes=1-2', 'if-range': '"other"' };
    const response = await fetch(at(`blobs/sha256/${pack.digest.slice(7)}`), { headers });
    expect([response.status, (await bytesOf(response)).length]).toEqual([200, pack.archive.length]);
  });

  test('nothing outside the registry, and nothing else inside, is served', async () => {
    const { folder, registry, port } = await serve();
    await registry.publish(pack);
    await writeFile(join(dirname(folder), 'secret.json'), 'SECRET');
    await writeFile(join(folder, 'secret.json'), 'SECRET');
    await mkdir(join(folder, 'packs/links'), { recursive: true });
    await symlink(join(dirname(folder), 'secret.json'), join(folder, 'packs/links/out.ndjson'));
    await symlink(dirname(folder), join(folder, 'packs/up'));
    const paths = [
      '/../secret.json', '/..%2fsecret.json', '/%2e%2e/secret.json', '/packs/..%2f..%2fsecret.json', '/..\\secret.json',
      '/packs/org%2fpdf.ndjson',
      '/packs%2forg/pdf.ndjson',
      '/..%5csecret.json', '/packs/org/pdf.ndjson%00.json', '/packs/org/..%2fpdf.ndjson', '/secret.json', '//secret.json',
      '/./secret.json', '/packs/links/out.ndjson', '/packs/up/secret.ndjson', '/packs/%zz/x.ndjson', '/packs/ORG/pdf.ndjson',
      '/versions/org/pdf/log/00000001.json', '/.tmp/', '/packs/', '/', '/blobs/sha256/', '/packs/con/aux.ndjson',
      '/versions/org/pdf/..%2f..%2f..%2f..%2fsecret.json', 'http://elsewhere.example/registry.json', '/packs/org/pdf.ndjson/',
    ]; // prettier-ignore
    for (const path of paths) {
      const answer = await raw(port, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      expect([path, /^HTTP\/1\.1 (?:400|404) /u.test(answer)]).toEqual([path, true]);
      expect(answer).not.toContain('SECRET');
    }
  });

  test('an unknown method is told what is allowed', async () => {
    const { at } = await serve();
    for (const [method, path, allow] of [
      ['DELETE', 'registry.json', 'GET, HEAD'],
      ['POST', 'publish/org/pdf/1.0.0', 'PUT'],
      ['GET', 'publish/org/pdf/1.0.0', 'PUT'],
    ] as const) {
      const response = await fetch(at(path), { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    }
  });
});

describe('publishing over HTTP', () => {
  test('201 for a new version, 200 for the same content again, 409 for other content', async () => {
    const { at } = await serve();
    const url = at('publish/org/pdf/1.0.0');
    const [created, again] = [await fetch(url, put(gzip)), await fetch(url, put(gzip))];
    expect([created.status, again.status]).toEqual([201, 200]);
    const skills = { pdf: { 'SKILL.md': skillText('pdf', 'Other.') } };
    const other = makePack({ name, version: '1.0.0', skills, format: 'zip' }, packPorts);
    const refused = await fetch(url, put({ authorization, 'content-type': 'application/zip' }, other.archive));
    expect([refused.status, await codeOf(refused)]).toEqual([409, 'VERSION_EXISTS']);
    const index = await (await fetch(at('packs/org/pdf.ndjson'))).text();
    expect(index).toContain(pack.digest);
    expect(index).not.toContain(other.digest);
  });

  test.each([
    ['no token', {}, 401, 'UNAUTHORIZED'],
    ['another token', { authorization: 'Bearer s3cre' }, 401, 'UNAUTHORIZED'],
    ['a longer token', { authorization: 'Bearer s3crets' }, 401, 'UNAUTHORIZED'],
    ['another scheme', { authorization: 'Basic s3cret' }, 401, 'UNAUTHORIZED'],
    ['the token of another organisation', { authorization: 'Bearer other-org' }, 403, 'UNAUTHORIZED'],
    ['a token that may only read', { authorization: 'Bearer reader' }, 403, 'UNAUTHORIZED'],
    ['no content type', { authorization }, 415, 'USAGE'],
    ['a content type that is no archive', { authorization, 'content-type': 'application/json' }, 415, 'USAGE'],
  ])('with %s nothing is published', async (_, headers: Record<string, string>, status, code) => {
    const tokens = [
      { token: 's3cret' },
      { token: 'other-org', organisations: ['other'] },
      { token: 'reader', organisations: [] },
    ];
    const { at, registry } = await serve({ tokens });
    const response = await fetch(at('publish/org/pdf/1.0.0'), put(headers));
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
    await expect(registry.getPack(name)).rejects.toMatchObject({ code: 'PACK_NOT_FOUND' });
    expect(await registry.files.list('blobs')).toEqual([]);
  });

  test('a token of an organisation publishes its packs', async () => {
    const { at } = await serve({ tokens: [{ token: 's3cret', organisations: ['org'] }] });
    expect((await fetch(at('publish/org/pdf/1.0.0'), put(gzip))).status).toBe(201);
  });

  test.each([
    ['publish/org/other/1.0.0', pack.archive, 422, 'INVALID_MANIFEST'],
    ['publish/org/pdf/2.0.0', pack.archive, 422, 'INVALID_MANIFEST'],
    ['publish/org/pdf/1.0.0', pack.archive.slice(0, -20), 422, 'ARCHIVE_REFUSED'],
    ['publish/org/pdf/1.0.0', new TextEncoder().encode('no archive'), 422, 'ARCHIVE_REFUSED'],
    ['publish/org/pdf/1.0.0', new Uint8Array(), 422, 'ARCHIVE_REFUSED'],
    ['publish/org/pdf/1.0.0?tag=../up', pack.archive, 400, 'USAGE'],
    ['publish/org/pdf/latest', pack.archive, 404, 'FILE_NOT_FOUND'],
    ['publish/org/..%2f..%2fup/1.0.0', pack.archive, 404, 'FILE_NOT_FOUND'],
    ['publish/org/pdf/1.0.0%00', pack.archive, 404, 'FILE_NOT_FOUND'],
    ['publish/ORG/pdf/1.0.0', pack.archive, 404, 'FILE_NOT_FOUND'],
  ])('%s with what does not fit is refused and leaves nothing', async (path, body, status, code) => {
    const { at, registry } = await serve();
    const response = await fetch(at(path), put(gzip, body));
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
    expect(await registry.files.list('versions')).toEqual([]);
    expect(await registry.files.list('blobs')).toEqual([]);
  });

  test('a body above the cap is 413, announced or not', async () => {
    const { at, port } = await serve({ maxArchiveBytes: 1_000 });
    const announced = await fetch(at('publish/org/pdf/1.0.0'), put(gzip, new Uint8Array(5_000)));
    expect([announced.status, await codeOf(announced)]).toEqual([413, 'FILE_TOO_LARGE']);
    const chunk = `3e8\r\n${'x'.repeat(1_000)}\r\n`;
    const head = `PUT /publish/org/pdf/1.0.0 HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n`;
    const answer = await raw(
      port,
      `${head}authorization: ${authorization}\r\ncontent-type: application/gzip\r\n\r\n${chunk.repeat(20)}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /u);
  });

  test('without tokens a registry is read-only, and says so to the client', async () => {
    const { url, at } = await serve({ tokens: [] });
    expect((await fetch(at('publish/org/pdf/1.0.0'), put(gzip))).status).toBe(401);
    await expect(createHttpRegistry(url, httpPorts).publish(pack)).rejects.toMatchObject({
      code: 'REGISTRY_ERROR',
      message: expect.stringContaining('takes no packs'),
    });
  });

  test('the client is told what the server says: no token, a wrong one, a version that exists', async () => {
    const { url } = await serve();
    const publish = (token: string | undefined, request: PublishRequest = pack) =>
      createHttpRegistry(url, httpPorts, { token: () => token }).publish(request);
    for (const token of [undefined, 'wrong']) {
      await expect(publish(token)).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        hint: expect.stringContaining('SKILLS_TOKEN'),
      });
    }
    expect(await publish('s3cret', { ...pack, tag: 'beta' })).toMatchObject({ created: true, tags: { beta: '1.0.0' } });
    const skills = { pdf: { 'SKILL.md': skillText('pdf', 'Other.') } };
    await expect(publish('s3cret', makePack({ name, version: '1.0.0', skills }, packPorts))).rejects.toMatchObject({
      code: 'VERSION_EXISTS',
      hint: expect.stringContaining('new version'),
    });
  });

  test('a registry without room answers 507, is sent the archive once, and takes it when there is room', async (context) => {
    const disk = await temporaryFolder();
    const mount = (limits: string): unknown => execFileSync('mount', ['-t', 'tmpfs', '-o', limits, 'none', disk]);
    try {
      mount('size=256k');
    } catch {
      context.skip('nothing may be mounted here');
    }
    onTestFinished(() => void execFileSync('umount', [disk]));
    const errors: unknown[] = [];
    const { url, at, registry } = await serve({ onError: (error) => errors.push(error) }, {}, disk);
    const noise = randomBytes(300_000).toString('base64');
    const skills = { pdf: { 'SKILL.md': skillText('pdf', 'Much.'), 'noise.txt': noise } };
    const large = makePack({ name, version: '1.0.0', skills }, packPorts);
    const publish = () => createHttpRegistry(url, httpPorts, { token: () => 's3cret' }).publish(large);
    await expect(publish()).rejects.toMatchObject({
      code: 'REGISTRY_ERROR',
      message: expect.stringContaining('has no room for it'),
      hint: expect.stringMatching(/free .* space/u),
      data: { status: 507 },
    });
    expect(errors).toMatchObject([{ code: 'IO_ERROR', data: { code: 'ENOSPC' } }]);
    const response = await fetch(at('publish/org/pdf/1.0.0'), put(gzip, large.archive));
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toMatchObject([507, { error: { code: 'IO_ERROR' } }]);
    expect(text).toContain('disk of the registry is full');
    expect(text).not.toContain(disk);
    expect(await registry.files.list('versions')).toEqual([]);
    mount('remount,size=4m');
    expect(await publish()).toMatchObject({ created: true });
  });

  test('a version with build metadata goes there and back', async () => {
    const { url } = await serve();
    const registry = createHttpRegistry(url, httpPorts, { token: () => 's3cret' });
    await registry.publish(makePack({ name, version: '1.0.0-rc.1+build.5' }, packPorts));
    expect((await registry.getPack(name)).versions).toMatchObject([{ version: '1.0.0-rc.1+build.5' }]);
  });
});

describe('a registry that needs a token to be read', () => {
  test('answers 401 without it, and the client with it', async () => {
    const { url, at, registry } = await serve({ auth: 'bearer' });
    await registry.publish(pack);
    for (const path of ['registry.json', 'packs/org/pdf.ndjson', 'search?q=pdf']) {
      const response = await fetch(at(path));
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
    const reader = createHttpRegistry(url, httpPorts, { token: () => 's3cret' });
    expect((await reader.getPack(name)).head.name).toBe(name);
    await expect(createHttpRegistry(url, httpPorts).getPack(name)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const found = await fetch(at('packs/org/pdf.ndjson'), { headers: { authorization } });
    expect(found.headers.get('cache-control')).toContain('private');
  });
});

describe('the search endpoint', () => {
  test('answers packs, and refuses what is no search', async () => {
    const { at, registry } = await serve();
    await registry.publish(pack);
    expect(await (await fetch(at('search?q=pdf'))).text()).toContain('"name":"org/pdf"');
    for (const query of ['q=pdf&limit=0', 'q=pdf&limit=1000', 'q=pdf&limit=x', `q=${'a'.repeat(2_000)}`]) {
      const response = await fetch(at(`search?${query}`));
      expect([response.status, await codeOf(response)]).toEqual([400, 'USAGE']);
    }
  });
});

describe('limits of the server', () => {
  test('what goes wrong inside is 500 and says nothing of paths or code', async () => {
    const registry = createMemoryRegistry({ ...archivePorts, sha256 });
    const broken = {
      ...registry,
      getPack: () => Promise.reject(new Error('/home/me/secret broke')),
      getRevocations: () => Promise.reject(new SkillsError('IO_ERROR', '/home/me/secret broke')),
    };
    const errors: unknown[] = [];
    const handler = createRegistryServer(broken, archivePorts, { onError: (error) => errors.push(error) });
    for (const path of ['packs/org/pdf.ndjson', 'revocations/latest.json']) {
      const response = await handler(new Request(`http://x/${path}`));
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('secret');
    }
    expect(errors).toMatchObject([{ message: '/home/me/secret broke' }, { code: 'IO_ERROR' }]);
  });

  test('headers that come one by one are cut off', async () => {
    const { port } = await serve({}, { headersTimeout: 300 });
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write('GET /registry.json HTTP/1.1\r\n'));
      const drip = setInterval(() => socket.write('x-a: b\r\n'), 50);
      socket.on('data', (piece) => (text += piece.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drip);
        resolve(text);
      });
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /u);
  });

  test('a body that drips is cut off', async () => {
    const { port } = await serve({}, { requestTimeout: 500, headersTimeout: 300 });
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          `PUT /publish/org/pdf/1.0.0 HTTP/1.1\r\nhost: x\r\ncontent-type: application/gzip\r\nauthorization: ${authorization}\r\ncontent-length: 100000\r\n\r\n`,
        ),
      );
      const drip = setInterval(() => socket.write('x'), 50);
      socket.on('data', (piece) => (text += piece.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drip);
        resolve(text);
      });
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /u);
  });

  test('headers above their cap are refused, connections above theirs are closed', async () => {
    const { port, at } = await serve({}, { maxConnections: 2 });
    const large = await raw(port, `GET / HTTP/1.1\r\nhost: x\r\nx-large: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 /u);
    const held = await Promise.all(
      [1, 2].map(
        () =>
          new Promise<ReturnType<typeof connect>>((resolve) => {
            const socket = connect(port, '127.0.0.1', () => resolve(socket));
          }),
      ),
    );
    await expect(fetch(at('registry.json'))).rejects.toThrow('fetch failed');
    for (const socket of held) socket.destroy();
  });

  test('closing lets a request under way end, and frees the port', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const server = await serveRegistry(async () => {
      arrive();
      await held;
      return new Response('done');
    });
    const answer = fetch(server.url).then((response) => response.text());
    await arrived;
    const closed = server.close(600_000);
    release();
    expect(await answer).toBe('done');
    // Not only when the time for those under way is over.
    await closed;
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
  });

  test('an address that is taken is IO_ERROR', async () => {
    const { port } = await serve();
    await expect(serveRegistry(async () => new Response(), { port })).rejects.toMatchObject({
      code: 'IO_ERROR',
      hint: expect.stringContaining('another port'),
    });
  });
});
