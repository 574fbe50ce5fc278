import { createServer, type Server } from 'node:http';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SkillsError, parsePackSpec } from '@skillpack/core';
import {
  createArchiveReader,
  createArchiveWriter,
  describeMachine,
  installPacks,
  openStore,
  projectRoot,
  verifyRoot,
  type InstallRoot,
  type PackManagerPorts,
} from '@skillpack/cli-dist';
import { downloadArchive, systemHttpPorts } from '@skillpack/registry-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skillText } from '../../packages/cli-dist/test/archives/hostile-archive.js';
import { hostileTars } from '../../packages/cli-dist/test/archives/hostile-tars.js';
import { hostileZips } from '../../packages/cli-dist/test/archives/hostile-zips.js';
import { oddArchives } from '../../packages/cli-dist/test/archives/odd-archives.js';

// Windows has no execute bits.
const windows = process.platform === 'win32';
let dir: string;
let server: Server;
let served: Uint8Array = Buffer.alloc(0);
let former: string | undefined;
let ports: PackManagerPorts;
let kept: InstallRoot;

const honest = createArchiveWriter().write(
  [{ path: 'kept/SKILL.md', bytes: Buffer.from(skillText.replace('name: pdf', 'name: kept')), executable: false }],
  'tgz',
);

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'skillpack-'));
  former = process.env['TMPDIR'];
  process.env['TMPDIR'] = join(dir, 'tmp');
  mkdirSync(join(dir, 'tmp'));
  server = createServer((_, response) => response.end(served));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  ports = {
    registryFor: () => {
      throw new Error('No pack here comes from a registry.');
    },
    download: (url, options) => downloadArchive(url, systemHttpPorts, { environment: {}, ...options }),
    archives: createArchiveReader(),
    store: openStore(join(dir, 'cache')),
    machine: describeMachine({ platform: process.platform, env: process.env }),
    now: () => new Date('2026-11-22T00:00:00Z'),
    version: '1.0.0',
  };
  kept = projectRoot(join(dir, 'project'));
  writeFileSync(join(dir, 'kept.tgz'), honest);
  await installPacks({ root: kept, specs: [parsePackSpec('./kept.tgz')], from: dir }, ports);
});

afterAll(async () => {
  if (former === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = former;
  server.closeAllConnections();
  server.close();
  await rm(dir, { recursive: true, force: true });
});

/** Everything below a folder: what kind it is, its mode, and its bytes or where it leads. */
function treeOf(folder: string, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).toSorted()) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    const mode = windows ? 'any' : (stats.mode & 0o7777).toString(8);
    if (stats.isDirectory()) Object.assign(found, { [`${prefix}${name}/`]: mode }, treeOf(path, `${prefix}${name}/`));
    else if (stats.isSymbolicLink()) found[prefix + name] = `-> ${readlinkSync(path)}`;
    else found[prefix + name] = `${mode} ${stats.isFile() ? readFileSync(path, 'latin1') : 'special'}`;
  }
  return found;
}

async function install(root: InstallRoot, spec: string): Promise<unknown> {
  try {
    await installPacks({ root, specs: [parsePackSpec(spec)], from: dir }, ports);
    return 'installed';
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return { code: error.code, reason: error.data['reason'] };
  }
}

function urlOf(format: 'tgz' | 'zip'): string {
  // The server was given a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/pack.${format}`;
}

describe.for([
  ['tgz', hostileTars],
  ['zip', hostileZips],
] as const)('PSA-32: an install of a hostile %s leaves every file as it was', ([format, archives]) => {
  // Limits that were made small for a trick are not those of an install.
  const whole = archives.filter(({ limits }) => limits === undefined);
  test.for(whole.map((archive) => [archive.trick, archive] as const))('%s', async ([, { bytes, reason }]) => {
    served = bytes();
    const path = join(dir, `pack.${format}`);
    writeFileSync(path, served);
    const before = treeOf(dir);
    const expected = { code: 'ARCHIVE_REFUSED', reason };
    expect(await install(kept, urlOf(format))).toEqual(expected);
    expect(await install(projectRoot(join(dir, 'fresh')), `./pack.${format}`)).toEqual(expected);
    expect(treeOf(dir)).toEqual(before);
  });

  test('the pack that was there is whole', async () => {
    expect(await verifyRoot({ root: kept })).toMatchObject({ ok: true, untracked: [] });
  });
});

describe.for(['tgz', 'zip'] as const)('PSA-32: an odd but honest %s is installed byte for byte', (format) => {
  test.for(oddArchives[format].map((archive, index) => [archive.oddity, archive, index] as const))(
    '%s',
    async ([, { bytes, files, executable = [] }, index]) => {
      const root = projectRoot(join(dir, `${format}-${index}`));
      served = bytes();
      expect(await install(root, urlOf(format))).toBe('installed');
      const tree = treeOf(root.skillsDir);
      const expected = Object.entries({ 'pdf/SKILL.md': skillText, ...files });
      for (const [name, text] of expected) {
        const mode = executable.includes(name) ? '755' : '644';
        expect(tree[name], name).toBe(`${windows ? 'any' : mode} ${text}`);
      }
      const installed = Object.keys(tree).filter((name) => !name.startsWith('.skillpack/') && !name.endsWith('/'));
      expect(installed.toSorted()).toEqual(expected.map(([name]) => name).toSorted());
      expect(await verifyRoot({ root })).toMatchObject({ ok: true, untracked: [] });
    },
  );
});
