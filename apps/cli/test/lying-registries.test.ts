import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answer, packOf, publishedFiles, startLyingServer, type Behaviour, type LyingServer } from './lying-server.js';
import { createWorld, type World } from './run-skills.js';

const MiB = 1024 * 1024;
const index = 'packs/acme/tool.ndjson';
const one = packOf('acme/tool', '1.0.0');
const two = packOf('acme/tool', '1.1.0');

let base: string;
let files: ReadonlyMap<string, Buffer>;
let evil: ReadonlyMap<string, Buffer>;
let server: LyingServer;
let world: World;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'skills-lies-'));
  files = await publishedFiles(join(base, 'honest'), [one, two]);
  evil = await publishedFiles(join(base, 'evil'), [packOf('acme/tool', '1.0.0', 'evil')]);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));
beforeEach(async () => {
  server = await startLyingServer(new Map([...evil, ...files]));
  world = createWorld();
});
afterEach(async () => {
  await server.close();
  world.remove();
});

function run(...words: readonly string[]) {
  return world.run(words, { env: { SKILLS_REGISTRY: server.url, SKILLS_TOKEN: 't' } });
}

/** What is installed, and locked. */
function state(): readonly string[] {
  return ['.agents/skills/tool/SKILL.md', 'skillpack-lock.json', 'skillpack.json'].map((path) =>
    readFileSync(join(world.project, path), 'utf8'),
  );
}

/** Another machine with the same project: nothing is in its cache, and nothing is installed. */
function onAnotherMachine(): void {
  rmSync(join(world.home, '.cache'), { recursive: true, force: true });
  rmSync(join(world.project, '.agents'), { recursive: true, force: true });
}

const says =
  (text: (honest: string) => string): Behaviour =>
  (socket, { honest }) =>
    answer(socket, text(honest.toString()));
const without = (version: string) =>
  says((text) => text.replace(new RegExp(`^\\{"version":"${version}".*\\n`, 'mu'), ''));

describe('a registry that says another thing the second time', () => {
  beforeEach(async () => {
    const { exitCode, stderr } = await run('install', 'acme/tool@1.0.0');
    if (exitCode !== 0) throw new Error(stderr);
  });

  test.each([
    ['other content', (): Behaviour => (socket) => answer(socket, evil.get(index) ?? '')],
    [
      'another digest of its files',
      (): Behaviour => says((text) => text.replace(one.manifest.treeDigest, `sha256:${'0'.repeat(64)}`)),
    ],
    ['another archive', (): Behaviour => says((text) => text.replace(one.digest, two.digest))],
  ])('%s for a locked version is refused, on another machine too', async (_, does) => {
    const before = state();
    server.lie(index, does());
    for (const words of [
      ['install'],
      ['install', '--frozen'],
      ['update', '--dry-run'],
      ['install', 'acme/tool@1.0.0'],
    ]) {
      onAnotherMachine();
      const { exitCode, stdout } = await run(...words, '--json');
      // What the lock file says can still be had by its digest; nothing else may come instead of it.
      if (exitCode === 0) expect(stdout).not.toContain('evil');
      else expect([words, exitCode]).toEqual([words, 4]);
      expect(readFileSync(join(world.project, 'skillpack-lock.json'), 'utf8')).toBe(before[1]);
    }
    onAnotherMachine();
    const { exitCode } = await run('install', '--frozen');
    if (exitCode === 0) expect(state()).toEqual(before);
  });

  test('a locked version that vanished is installed all the same as long as its archive is there', async () => {
    const before = state();
    server.lie(index, without('1.0.0'));
    onAnotherMachine();
    const { exitCode, stderr } = await run('install', '--frozen');
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    expect(state()).toEqual(before);
  });

  test('a tag that moved back takes nothing back', async () => {
    await run('install', 'acme/tool@^1', '--replace');
    await run('update');
    const before = state();
    expect(before[0]).toContain('honest 1.1.0');
    server.lie(
      index,
      says((text) => text.replace('"latest":"1.1.0"', '"latest":"1.0.0"')),
    );
    for (const words of [['install'], ['update'], ['install', '--frozen']])
      expect((await run(...words)).exitCode).toBe(0);
    expect(state()).toEqual(before);
  });

  test('the same ETag for other bytes leaves what was read before', async () => {
    const tagged: Behaviour = (socket, { honest, headers }) =>
      headers.get('if-none-match') === '"same"'
        ? void socket.write('HTTP/1.1 304 Not Modified\r\netag: "same"\r\n\r\n')
        : answer(socket, honest, { headers: ['etag: "same"'] });
    server.lie(index, tagged);
    expect((await run('outdated')).exitCode).toBe(1);
    const second = await run('outdated', '--json');
    expect([second.exitCode, second.stdout.includes('1.1.0')]).toEqual([1, true]);
  });
});

describe('revocations', () => {
  test('that cannot be had do not stop an install, and are told', async () => {
    server.lie('revocations', (socket) => answer(socket, '', { status: '500 Broken' }));
    const { exitCode, stderr } = await run('install', 'acme/tool');
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toMatch(/warning: .*revo/u);
  });

  test.each<readonly [string, Behaviour, string]>([
    ['are a page to sign in', says(() => '<html>'), 'INVALID_INDEX'],
    ['are cut off', says((text) => text.slice(0, -9)), 'INVALID_INDEX'],
    ['are a bomb', (socket) => answer(socket, gzipSync(Buffer.alloc(64 * MiB)), { headers: ['content-encoding: gzip'] }), 'FILE_TOO_LARGE'],
  ])('that %s stop it: something is there, and it is not known what it revokes', async (_, does, code) => {
    server.lie('revocations', does);
    expect((await run('install', 'acme/tool', '--json')).json().error?.code).toBe(code);
  }); // prettier-ignore
});

describe('publishing to a server that lies', () => {
  // More than the buffers of a connection hold, so that an answer can come before the end of the upload.
  const large = packOf('acme/tool', '3.0.0', 'large', randomBytes(8 * 1024 * 1024).toString('base64')).archive;
  let archive: string;
  beforeEach(() => {
    archive = world.path('tool.tgz');
    writeFileSync(archive, large);
    server.lie(
      'registry.json',
      says(() => JSON.stringify({ formatVersion: 1, id: 'x', name: 'x', publish: 'publish/' })),
    );
  });
  const explained = (error: unknown) => JSON.stringify({ error });
  const deep = `{"error":{"code":"USAGE","message":"Deep.","data":{"x":${'['.repeat(7_000)}${']'.repeat(7_000)}}}}`;

  test.each<readonly [string, Behaviour, string, number]>([
    ['says 413 before it has the body, and closes', (socket) => { answer(socket, explained({ code: 'FILE_TOO_LARGE', message: 'Too large.' }), { status: '413 Too large', headers: ['connection: close'] }); }, 'FILE_TOO_LARGE', 4],
    ['says 401 before it has the body', (socket) => answer(socket, '', { status: '401 Who' }), 'UNAUTHORIZED', 4],
    ['cuts the upload', (socket) => void socket.resetAndDestroy(), 'NETWORK_ERROR', 5],
    ['leads elsewhere', (socket) => answer(socket, '', { status: '307 There', headers: ['location: http://127.0.0.1:9/'] }), 'REDIRECT_REFUSED', 4],
    ['leads to itself', (socket) => answer(socket, '', { status: '308 There', headers: ['location: /publish/'] }), 'REDIRECT_REFUSED', 4],
    ['says nonsense', (socket) => answer(socket, 'Thank you!', { status: '201 Created' }), 'INVALID_INDEX', 2],
    ['speaks of another version', (socket) => answer(socket, files.get(index) ?? '', { status: '201 Created' }), 'REGISTRY_ERROR', 5],
    ['says more than it may', (socket) => answer(socket, 'x'.repeat(2 * 1024 * 1024), { status: '200 OK' }), 'FILE_TOO_LARGE', 4],
    ['explains at great depth', (socket) => answer(socket, deep, { status: '422 No' }), 'USAGE', 2],
    ['explains with a code of nobody', (socket) => answer(socket, explained({ code: 'toString', message: 'x' }), { status: '422 No' }), 'REGISTRY_ERROR', 5],
    ['explains without an end', (socket) => answer(socket, `{"error":${' '.repeat(99_999)}`, { status: '422 No' }), 'REGISTRY_ERROR', 5],
  ])('a server that %s', async (_, does, code, exitCode) => {
    server.lie('publish/', does);
    const published = await run('publish', archive, '--to', server.url, '--json');
    expect([published.json().error?.code, published.exitCode], published.stdout).toEqual([code, exitCode]);
  }); // prettier-ignore
});

describe('a search', () => {
  test.each<readonly [string, string, Behaviour, string]>([
    ['promises more than it lists', 'catalogue', says((text) => text.replace('"packs":1', '"packs":2')), 'INVALID_INDEX'],
    ['leads to a file', 'search/latest.json', says((text) => text.replace(/"search\/[^"]+"/u, '"file:///etc/passwd"')), 'ADDRESS_REFUSED'],
    ['leads to another host', 'search/latest.json', says((text) => text.replace(/"search\/[^"]+"/u, '"http://127.0.0.2:9/x"')), 'ADDRESS_REFUSED'],
    ['has no catalogue', 'catalogue', (socket) => answer(socket, '', { status: '404 No' }), 'REGISTRY_ERROR'],
  ])('that %s', async (_, about, does, code) => {
    server.lie(about, does);
    expect((await run('search', 'tool', '--json')).json().error?.code).toBe(code);
  }); // prettier-ignore
});

// The peak of the whole process, which tells of it at its end.
const watched =
  "data:text/javascript,process.on('exit',()=>{process._rawDebug('peak '+process.resourceUsage().maxRSS)})";

describe('what a server sends does not fill the memory', () => {
  const endless =
    (head: string, piece: Buffer): Behaviour =>
    (socket) => {
      socket.write(head);
      const more = (): void => void (socket.destroyed || socket.write(piece, () => setImmediate(more)));
      more();
    };
  const line = (text: string): string => text.trim().split('\n')[1] ?? '';

  test.each<readonly [string, string, Behaviour]>([
    ['a bomb of 256 MiB for an index', index, (socket) => answer(socket, gzipSync(Buffer.alloc(256 * MiB)), { headers: ['content-encoding: gzip'] })],
    ['an index without an end', index, endless('HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(65_536, 0x20))],
    ['an index of 16 MiB of versions', index, says((text) => text.trim() + Array.from({ length: 16 * MiB / line(text).length - 9 | 0 }, (_, patch) => `\n${line(text).replace('1.0.0', `2.0.${patch}`)}`).join(''))],
    ['an index of a million lines', index, says((text) => text + '{"version":"1"}\n'.repeat(1_000_000))],
    ['an index of one line of 16 MiB', index, says((text) => text.replace('"deprecated":null', `"deprecated":null,"x":[${'1,'.repeat(7 * MiB)}1]`))],
    ['an archive without an end', 'blobs/', endless('HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(65_536))],
    ['an archive of 1 TiB', 'blobs/', endless(`HTTP/1.1 200 OK\r\ncontent-length: ${2 ** 40}\r\n\r\n`, Buffer.alloc(65_536))],
    ['an error without an end', index, endless('HTTP/1.1 500 Broken\r\n\r\n', Buffer.alloc(65_536))],
    ['a redirect without an end', index, endless('HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\n\r\n', Buffer.alloc(65_536))],
    ['nothing, without an end', index, endless('HTTP/1.1 404 Not Found\r\n\r\n', Buffer.alloc(65_536))],
  ])('%s', { timeout: 120_000 }, async (_, about, does) => {
    server.lie(about, does);
    const env = { SKILLS_REGISTRY: server.url, NODE_OPTIONS: `--import=${watched.replaceAll(' ', '%20')}` };
    const { exitCode, stderr } = await world.run(['install', 'acme/tool', '--json'], { env });
    expect(exitCode, stderr).not.toBe(70);
    const peak = Number(/peak (\d+)/u.exec(stderr)?.[1]) / 1024;
    expect(peak).toBeGreaterThan(10);
    expect(peak).toBeLessThan(200);
  }); // prettier-ignore
});
