import { gzipSync } from 'node:zlib';
import { createArchiveWriter, sha256 } from '@skillpack/cli-dist';
import { formatDiscoveryIndex, type ArchiveFormat, type ArchiveInput, type DiscoverySkill } from '@skillpack/core';
import { skillText } from '@skillpack/core/testing';
import { serveRegistry } from '@skillpack/registry-http/server';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openChromium, whyNoChromium } from './open-chromium.js';

/** Tells on the console what comes of every skill of a host: its text and its files, or the code of the error. */
const program = `
  import { createSkillRegistry, SkillsError } from '@skillpack/core';
  import { discoveredSkills } from '@skillpack/registry-http/discovery';
  import { sha256 } from './examples/browser/page/sha256.ts';

  const limits = { archiveBytes: 1e6, unpackedBytes: 1e6, fileBytes: 1e5, entries: 100, depth: 8, pathBytes: 200, componentBytes: 100 };
  const registry = createSkillRegistry(discoveredSkills(new URL(location.hash.slice(1)), { fetch, sha256 }, { limits }), { sha256 });
  const said = {};
  try {
    for (const skill of (await registry.index()).skills) {
      said[skill.name] = await Promise.all([registry.body(skill), registry.files(skill)]).then(
        ([{ skill: { body } }, files]) => [body, ...files.map(({ path }) => path)],
        (error) => SkillsError.is(error) ? [error.code, error.data.reason] : String(error),
      );
    }
  } catch (error) {
    said.index = SkillsError.is(error) ? [error.code, error.hint] : String(error);
  }
  console.log(JSON.stringify(said));
`;

async function bundle(): Promise<string> {
  const root = new URL('../..', import.meta.url).pathname;
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: root },
    bundle: true,
    format: 'esm',
    conditions: ['skillpack-source'],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

const open = { 'access-control-allow-origin': '*' };

/** Serves files; gives the address, with its final slash. */
async function serve(files: Readonly<Record<string, Response | (() => Response)>>): Promise<string> {
  const server = await serveRegistry(async ({ url }) => {
    const file = files[new URL(url).pathname] ?? new Response('none', { status: 404, headers: open });
    return typeof file === 'function' ? file() : file.clone();
  });
  onTestFinished(() => server.close(0));
  return server.url;
}

function archive(name: string, format: ArchiveFormat = 'tgz'): Uint8Array {
  const input = (path: string, text: string): ArchiveInput => ({ path, bytes: Buffer.from(text), executable: false });
  const files = [input('SKILL.md', skillText(name, 'Tells.', `About ${name}.\n`)), input('références/é.md', '# É\n')];
  return createArchiveWriter().write(files, format);
}

/** A host, open to every page, that offers these bytes; the digests in its index are right. */
async function offer(bytes: Readonly<Record<string, Uint8Array>>): Promise<string> {
  const skills = Object.entries(bytes).map(([name, artifact]): DiscoverySkill => {
    return { name, type: 'archive', description: 'Tells.', url: `${name}.tar.gz`, digest: sha256(artifact) };
  });
  const folder = '/.well-known/agent-skills/';
  const artifacts = Object.entries(bytes).map(([name, artifact]) => {
    return [`${folder}${name}.tar.gz`, new Response(Buffer.from(artifact), { headers: open })] as const;
  });
  const index = new Response(formatDiscoveryIndex(skills), { headers: open });
  return serve({ [`${folder}index.json`]: index, ...Object.fromEntries(artifacts) });
}

const reason = whyNoChromium();
const title = 'the skills of another host in a page, in Chromium';
describe.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (left out: ${reason})`, () => {
  let browser: Browser;
  let script: string;
  beforeAll(async () => {
    [browser, script] = await Promise.all([openChromium(), bundle()]);
  });
  afterAll(async () => browser.close());

  /** What a page, which has an origin of its own, makes of a host. */
  async function readInPage(host: string): Promise<unknown> {
    const html = '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/main.js"></script>';
    const url = await serve({
      '/': new Response(html, { headers: { 'content-type': 'text/html' } }),
      '/main.js': new Response(script, { headers: { 'content-type': 'text/javascript' } }),
    });
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const told = page.waitForEvent('console', (message) => message.type() === 'log');
    await page.goto(`${url}#${host}`);
    return JSON.parse((await told).text());
  }

  test('are read from its archives, and what is damaged or hostile is refused', async () => {
    const honest = archive('honest');
    const cut = honest.subarray(0, -20);
    const damaged = Buffer.from(honest);
    damaged.writeUInt32LE(1, damaged.length - 8);
    const changed = Buffer.from(archive('broken', 'zip'));
    changed.writeUInt8(changed.readUInt8(50) ^ 0xff, 50);
    const host = await offer({
      honest,
      bomb: gzipSync(Buffer.alloc(16 * 1024 * 1024)),
      cut,
      damaged,
      trailing: Buffer.concat([honest, Buffer.from('more')]),
      text: Buffer.from('no archive'),
      zip: archive('zip', 'zip'),
      broken: changed,
    });
    expect(await readInPage(host)).toEqual({
      honest: ['About honest.\n', 'SKILL.md', 'références/é.md'],
      bomb: ['ARCHIVE_REFUSED', 'unpacked-too-large'],
      broken: ['ARCHIVE_REFUSED', expect.stringMatching(/^bad-(?:checksum|compression)$/u)],
      cut: ['ARCHIVE_REFUSED', 'bad-compression'],
      damaged: ['ARCHIVE_REFUSED', 'bad-compression'],
      trailing: ['ARCHIVE_REFUSED', 'bad-compression'],
      text: ['ARCHIVE_REFUSED', 'unknown-format'],
      zip: ['About zip.\n', 'SKILL.md', 'références/é.md'],
    });
  });

  test('a host that answers with a redirect, or lets no page read it, is told as one that cannot be read', async () => {
    const path = '/.well-known/agent-skills/index.json';
    const target = await offer({ honest: archive('honest') });
    const moved = new Response(null, { status: 302, headers: { ...open, location: target + path.slice(1) } });
    const closed = new Response(formatDiscoveryIndex([]));
    for (const answer of [moved, closed]) {
      const host = await serve({ [path]: answer });
      expect(await readInPage(host)).toEqual({ index: ['NETWORK_ERROR', expect.stringMatching(/redirect.*CORS/u)] });
    }
  });
});
