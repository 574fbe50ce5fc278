import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packSkills } from '@skillpack/cli-dist';
import { makePack, skillText, type MadePack } from '@skillpack/core/testing';
import { createFolderRegistry, createRegistryServer, serveRegistry } from '@skillpack/registry-http/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startNginx, withoutNginx } from './nginx.js';
import { archivePorts, packPorts } from './ports.js';
import { temporaryFolder } from './temporary-folder.js';

const root = join(import.meta.dirname, '../..');
const requireFromRegistry = createRequire(join(root, 'packages/registry-http/package.json'));
const client = join(dirname(requireFromRegistry.resolve('skills/package.json')), 'bin/cli.mjs');

type Tree = Map<string, string>;

/** Skills of the shapes that people publish. */
function shapes(): readonly MadePack[] {
  const large = Uint8Array.from({ length: 3 * 1024 * 1024 }, (_, index) => (index * 31 + (index >> 8)) % 256);
  const make = (name: string, files: Record<string, string | Uint8Array>, executable: string[] = []) =>
    makePack({ name: `shapes/${name}`, version: '1.0.0', skills: { [name]: files }, executable }, packPorts);
  return [
    make('prose-only', {
      'SKILL.md': skillText('prose-only', 'Nothing but words.', 'Say it — “plainly”. 说得简单。\n'),
    }),
    make(
      'with-scripts',
      {
        'SKILL.md': skillText('with-scripts', 'Runs things.'),
        'scripts/run.sh': '#!/bin/sh\necho ok\n',
        'data.bin': large,
      },
      ['with-scripts/scripts/run.sh'],
    ),
    make('nested-folders', {
      'SKILL.md': skillText('nested-folders', 'Deep.'),
      'rules/a/b/c/rule.md': '# Rule\r\n',
      'templates/page.html': '<!doctype html>\n',
      'references/.hidden': '',
    }),
    make('unicode-names', {
      'SKILL.md': skillText('unicode-names', 'Names of files in other scripts.'),
      'references/Überblick.md': 'ü\n',
      'references/概要.md': '概\n',
      [`references/${'long-'.repeat(24)}name.md`]: 'long\n',
    }),
    makePack(
      {
        name: 'shapes/two',
        version: '1.0.0-rc.1+build.5',
        skills: {
          'first-of-two': { 'SKILL.md': skillText('first-of-two', 'One.'), 'LICENSE.txt': 'Apache-2.0\n' },
          'second-of-two': { 'SKILL.md': skillText('second-of-two', 'Two.') },
        },
        format: 'zip',
      },
      packPorts,
    ),
  ];
}

/** Every skill that comes with skillpack, packed as it is published. */
async function builtins(): Promise<{ archive: Uint8Array; format: 'tgz' | 'zip' }[]> {
  const folder = join(root, 'skills-builtin');
  const packs = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const pack = join(folder, entry.name);
    if (existsSync(join(pack, 'skillpack.json'))) packs.push(await packSkills(pack));
  }
  return packs;
}

async function publishAll(folder: string) {
  const registry = createFolderRegistry(folder, archivePorts, { derive: false });
  const expected = new Map<string, Tree>();
  for (const pack of [...shapes(), ...(await builtins())]) {
    await registry.publish(pack);
    const opened = await archivePorts.archives.open(pack.archive);
    for await (const { file, chunks } of opened.contents()) {
      const [skill = '', ...rest] = file.path.split('/');
      const pieces: Uint8Array[] = [];
      for await (const chunk of chunks) pieces.push(chunk.slice());
      const tree = expected.get(skill) ?? new Map<string, string>();
      expected.set(skill, tree.set(rest.join('/'), Buffer.concat(pieces).toString('base64')));
    }
  }
  const build = await registry.build();
  expect(build.problems).toEqual([]);
  expect(build.skills).toBe(expected.size);
  return { registry, expected };
}

async function readTree(folder: string): Promise<Tree> {
  const tree: Tree = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    tree.set(path.slice(folder.length + 1).replaceAll('\\', '/'), (await readFile(path)).toString('base64'));
  }
  return tree;
}

async function installWithSkillsClient(url: string): Promise<string> {
  const project = await temporaryFolder();
  const environment = { PATH: process.env['PATH'], HOME: project, DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1', CI: '1' };
  await promisify(execFile)(process.execPath, [client, 'add', url, '-y', '-a', 'codex', '--copy', '--skill', '*'], {
    cwd: project,
    env: environment,
    timeout: 60_000,
  });
  return join(project, '.agents/skills');
}

async function expectSameSkills(installed: string, expected: ReadonlyMap<string, Tree>): Promise<void> {
  expect((await readdir(installed)).toSorted()).toEqual([...expected.keys()].toSorted());
  for (const [skill, tree] of expected) {
    const actual = await readTree(join(installed, skill));
    expect([...actual.keys()].toSorted(), skill).toEqual([...tree.keys()].toSorted());
    for (const [path, content] of tree) expect(actual.get(path) === content, `${skill}/${path}`).toBe(true);
  }
}

describe('the npm package `skills` installs every skill from our static files, byte for byte', () => {
  test.skipIf(withoutNginx !== false)('served by nginx', async () => {
    const folder = await temporaryFolder();
    const { expected } = await publishAll(folder);
    const nginx = await startNginx(folder);
    onTestFinished(() => nginx.close());
    await expectSameSkills(await installWithSkillsClient(nginx.url), expected);
  });

  test('served by our own server', async () => {
    const { registry, expected } = await publishAll(await temporaryFolder());
    const server = await serveRegistry(createRegistryServer(registry, archivePorts));
    onTestFinished(() => server.close());
    await expectSameSkills(await installWithSkillsClient(server.url), expected);
  });
});
