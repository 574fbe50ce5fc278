import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchiveReader, installPacks, openStore, projectRoot, type PackManagerPorts } from '@skillpack/cli-dist';
import { parsePackSpec, SkillsError, type ErrorCode } from '@skillpack/core';
import { createHttpRegistry, systemHttpPorts } from '@skillpack/registry-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodeOf } from '../src/frame/exit-code.js';
import { hexOf, liesOfArchive, liesOfIndex, liesOfTransport, type Lie } from './lies.js';
import { packOf, publishedFiles, startLyingServer, type LyingServer, type StaticFiles } from './lying-server.js';
import { createWorld } from './run-skills.js';

const tool = packOf('acme/tool', '1.1.0');
const packs = [packOf('acme/base', '1.0.0'), packOf('acme/tool', '1.0.0'), tool];
const index = 'packs/acme/tool.ndjson';
const blob = hexOf(tool.archive);

let base: string;
let files: StaticFiles;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'skills-lies-'));
  files = await publishedFiles(join(base, 'registry'), packs);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const rows: readonly (readonly [what: string, about: string, lie: Lie])[] = [
  ...[...liesOfTransport, ...liesOfIndex].map(
    (lie) => [`an index: the server, or it, ${lie.what}`, index, lie] as const,
  ),
  ...[...liesOfTransport, ...liesOfArchive].map(
    (lie) => [`an archive: the server, or it, ${lie.what}`, blob, lie] as const,
  ),
];

/** What ends otherwise over TLS. */
const overTls: ReadonlyMap<string, ErrorCode> = new Map([
  // Not even asked where it leads: it leaves TLS.
  ['redirects to the metadata of a cloud', 'REDIRECT_REFUSED'],
  ['redirects to another host by plain http', 'REDIRECT_REFUSED'],
  // Its parser has no limit for them, but what comes of the body is nothing, and that is too slow.
  ['extends a chunk without an end', 'TIMEOUT'],
]);
/** Those of the transport over TLS too, which is another client. */
const securely = liesOfTransport.map(
  (lie) => [`the server ${lie.what}`, index, { ...lie, code: overTls.get(lie.what) ?? lie.code }] as const,
);
const tls = join(import.meta.dirname, '../../../packages/registry-http/test/fixtures/tls');
const identity = {
  key: readFileSync(join(tls, 'key.pem'), 'utf8'),
  cert: readFileSync(join(tls, 'certificate.pem'), 'utf8'),
};

/** The longest deadline below with room for a machine under load: what would never end fails. */
const bounded = { timeout: 180_000 };
/** For a lie that is about time. */
const hasty = { connect: 5_000, headers: 400, idle: 400, total: 20_000, rateWindow: 400, minimumRate: 1_000 };
/** For any other, which a machine under load must not turn into one about time. */
const patient = { connect: 30_000, headers: 30_000, idle: 30_000, total: 90_000, rateWindow: 30_000, minimumRate: 1 };

/** A project of the library's, without waits between two tries. */
function makeProject(server: LyingServer, { slow, code }: Lie, certificates: readonly string[] = []) {
  const dir = mkdtempSync(join(base, 'project-'));
  const registry = createHttpRegistry(
    server.url,
    { ...systemHttpPorts, delay: async () => undefined, archives: createArchiveReader() },
    {
      timeouts: slow === true || code === 'TIMEOUT' ? hasty : patient,
      retries: 2,
      certificates,
      cacheDir: join(dir, 'cache', 'http'),
    },
  );
  const ports: PackManagerPorts = {
    registryFor: () => registry,
    download: () => Promise.reject(new Error('nothing is downloaded by URL here')),
    archives: createArchiveReader(),
    store: openStore(join(dir, 'cache')),
    machine: { platform: 'linux', hasProgram: () => true, hasVariable: () => true },
    now: () => new Date('2026-11-22T10:00:00Z'),
    version: '1.2.3',
  };
  const root = projectRoot(join(dir, 'project'));
  return {
    dir,
    install: (spec: string) => installPacks({ root, specs: [parsePackSpec(spec)], from: dir }, ports, {}),
    close: () => registry.close(),
  };
}

describe.concurrent('what is installed stays as it was, and an honest answer afterwards is believed', bounded, () => {
  test.each(rows)('%s', async (_, about, lie) => {
    const server = await startLyingServer(files);
    await expectNoHarm(server, makeProject(server, lie), { ...lie, about });
  });

  test.each(securely)('by HTTPS, %s', async (_, about, lie) => {
    const server = await startLyingServer(files, identity);
    await expectNoHarm(server, makeProject(server, lie, [identity.cert]), { ...lie, about });
  });
});

/** Lets a server lie about something, and then answer honestly. */
async function expectNoHarm(
  server: LyingServer,
  { dir, install, close }: ReturnType<typeof makeProject>,
  { about, does, code }: Lie & { readonly about: string },
): Promise<void> {
  try {
    await install('acme/base');
    const before = treeOf(join(dir, 'project'));
    server.lie(about, does);
    const outcome = await codeOf(install('acme/tool'));
    expect(outcome.code, outcome.message).toEqual(code);
    if (code !== undefined) expect(treeOf(join(dir, 'project'))).toEqual(before);
    expectTrueBlobs(join(dir, 'cache', 'blobs'));
    server.lie(about, undefined);
    if (code !== undefined) await install('acme/tool');
    expect(readFileSync(join(dir, 'project/.agents/skills/tool/SKILL.md'), 'utf8')).toContain('honest 1.1.0');
  } finally {
    await close();
    await server.close();
  }
}

/** Every eighth, in the long run every one: each takes a second of waits between tries. */
const quick = rows.filter(([, , { slow }]) => slow !== true);
const sampled = quick.filter((_, number) => process.env['SKILLPACK_LONG_TESTS'] === '1' || number % 8 === 0);

describe.concurrent('the command says so, and by its exit code', bounded, () => {
  test.each(sampled)('%s', async (_, about, { does, code }) => {
    const server = await startLyingServer(files);
    const world = createWorld();
    const install = (pack: string) => world.run(['install', pack, '--registry', server.url, '--json']);
    try {
      expect((await install('acme/base')).exitCode).toBe(0);
      const before = treeOf(world.project);
      server.lie(about, does);
      const { exitCode, json } = await install('acme/tool');
      const answered = json();
      expect(answered.error?.code, answered.error?.message).toBe(code);
      expect(exitCode).toBe(code === undefined ? 0 : exitCodeOf(new SkillsError(code, 'It lied.')));
      if (code !== undefined) expect(treeOf(world.project)).toEqual(before);
    } finally {
      world.remove();
      await server.close();
    }
  });
});

async function codeOf(outcome: Promise<unknown>): Promise<{ readonly code?: string; readonly message?: string }> {
  try {
    await outcome;
    return {};
  } catch (error) {
    if (SkillsError.is(error)) return error;
    throw error;
  }
}

/** Every file below a folder, with its bytes and its time; of the one that is locked, that it is there. */
function treeOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const plain = entry.isFile() && entry.name !== '.lock';
    found[path] = plain ? `${statSync(path).mtimeMs} ${readFileSync(path, 'base64')}` : '';
  }
  return found;
}

/** Whatever was sent, the cache holds nothing but archives under their own digests. */
function expectTrueBlobs(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) expect(hexOf(readFileSync(join(entry.parentPath, entry.name)))).toBe(entry.name);
  }
}
