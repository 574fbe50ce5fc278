import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadedBy } from './loaded-by.js';
import { makeSkill } from './make-skill.js';
import { command, createWorld, type World } from './run-skills.js';

let world: World;
beforeAll(() => {
  world = createWorld();
  makeSkill(join(world.project, 'one'), { pack: { name: 'acme/one', version: '1.0.0' } });
});
afterAll(() => world.remove());

test.each([
  [['--version'], []],
  [['--help'], ['commander']],
  [
    ['init', 'notes'],
    ['commander', 'zod'],
  ],
  [
    ['lint', './one'],
    ['commander', 'yaml', 'zod'],
  ],
  [['verify'], ['commander', 'semver', 'zod']],
  [['list'], ['commander']],
  [['eval', '--help'], ['commander']],
  [
    ['eval', '--ranks-only', './one'],
    ['commander', 'yaml', 'zod'],
  ],
  [['install'], ['commander', 'semver', 'yaml', 'zod']],
])('skills %j loads no more libraries than it needs', async (words, allowed) => {
  const libraries = await loadedBy(world, words);
  const known = new Set(['commander', 'fflate', 'ignore', 'picomatch', 'semver', 'undici', 'yaml', 'zod']);
  const extra = [...libraries].filter((name) => (known.has(name) || isOfModels(name)) && !allowed.includes(name));
  expect(extra).toEqual([]);
  expect(libraries).toContain('skillpack');
});

/** Whether it is there to reach providers of models, or clients of skills. */
function isOfModels(name: string): boolean {
  return /^@(?:ai-sdk|modelcontextprotocol)\/|^(?:eventsource-parser|model-adapters|mcp)$/u.test(name);
}

test.each([
  ['scripted', ['model-adapters']],
  ['openai:gpt-5', ['@ai-sdk/openai-compatible', '@ai-sdk/provider', '@ai-sdk/provider-utils']],
  ['anthropic:claude-sonnet-4-5', ['@ai-sdk/anthropic', '@ai-sdk/provider', '@ai-sdk/provider-utils']],
])('an agent with the model %s loads what reaches it, and what reaches no other', async (model, wanted) => {
  const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
  const keys = { OPENAI_API_KEY: 'sk-none', ANTHROPIC_API_KEY: 'sk-none' };
  const libraries = await loadedBy(world, ['run', 'x', '--model', model, '--max-turns', '1'], { ...env, ...keys });
  expect([...libraries]).toEqual(expect.arrayContaining([...wanted]));
  expect([...libraries].filter((name) => name.startsWith('@ai-sdk/') && !wanted.includes(name))).toEqual([]);
});

test('to list skills, Node loads none of its own parts that it keeps for when they are used', async () => {
  const preload = world.path('loaded.cjs');
  const told = world.path('loaded.json');
  writeFileSync(
    preload,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify(process.moduleLoadList)));`,
  );
  await world.run(['list'], { env: { NODE_OPTIONS: `--require ${JSON.stringify(preload)}` } });
  const loaded = JSON.parse(readFileSync(told, 'utf8')) as readonly string[];
  expect(loaded).toContain('NativeModule fs');
  for (const name of [
    'child_process',
    'internal/fs/promises',
    'internal/readline/interface',
    'worker_threads',
    'tls',
  ]) {
    expect(loaded).not.toContain(`NativeModule ${name}`);
  }
});

test('what looks for newer versions loads what reads indexes, and nothing that reads archives or skills', async () => {
  const registry = world.path('registry');
  const env = { SKILLS_CACHE: world.path('cache') };
  await world.run(['publish', './one', '--to', registry], { env });
  const server = createServer(({ url = '' }, response) => {
    const path = join(registry, new URL(url, 'http://x').pathname);
    if (existsSync(path)) response.end(readFileSync(path));
    else response.writeHead(404).end();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // An address of TCP, not of a pipe.
  const { port } = server.address() as AddressInfo;
  const options = ['--registry', `http://127.0.0.1:${port}/`];
  await world.run(['install', 'acme/one', ...options], { env });
  const libraries = await loadedBy(world, ['outdated', ...options], env);
  expect([...libraries].toSorted()).toEqual([
    'cli-dist',
    'commander',
    'core',
    // Its few lines, for what has to wait for an install.
    'fs-native-extensions',
    // What `~` and SKILLS_DIRS mean.
    'registry-fs',
    'registry-http',
    'semver',
    'skillpack',
    'which-runtime',
    'zod',
  ]);
});

test('undici is loaded by what asks a server over TLS, and only then', async () => {
  const asked = await loadedBy(world, ['search', 'x', '--registry', 'https://127.0.0.1:9/']);
  expect(asked).toContain('undici');
  const plainly = await loadedBy(world, ['search', 'x', '--registry', 'http://127.0.0.1:9/']);
  expect(plainly).not.toContain('undici');
});

test('the bundle holds one version of each library, and none that was meant to stay outside', () => {
  const versions = new Map<string, Set<string>>();
  for (const [name, source] of bundleFiles()) {
    expect(source, name).not.toContain("from 'zod");
    for (const [, path = ''] of source.matchAll(/^\/\/ ((?:\.\.\/)+\S+)$/gmu)) {
      const found = /node_modules\/\.pnpm\/([^/]+)\/node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(path);
      if (found !== null) versions.set(found[2] ?? '', (versions.get(found[2] ?? '') ?? new Set()).add(found[1] ?? ''));
    }
  }
  expect([...versions].filter(([, of]) => of.size > 1)).toEqual([]);
  expect([...versions.keys()]).toEqual(expect.arrayContaining(['commander', 'semver', 'undici', 'yaml', 'zod']));
  expect([...versions.keys()]).not.toContain('require-addon');
  const licences = readFileSync(join(dirname(command), 'THIRD_PARTY_LICENCES.md'), 'utf8');
  for (const name of versions.keys()) expect(licences).toContain(`\n## ${name} `.trimStart());
});

test('what a file of the bundle loads is there, and each file is loaded by another', () => {
  const files = bundleFiles();
  // The script of a report is read, and stands in the report: Node never runs it.
  const loaded = new Set(['skills.js', 'report-page.js']);
  for (const [name, source] of files) {
    // Comments of libraries name files of their own.
    const code = source.replaceAll(/^\s*\*.*$|\/\*.*\*\//gmu, '');
    for (const [, target = ''] of code.matchAll(/(?:from |import\()["']\.\/([^"']+)["']/gu)) {
      expect([...files.keys()], name).toContain(target);
      loaded.add(target);
    }
  }
  expect([...files.keys()].filter((name) => !loaded.has(name))).toEqual([]);
});

function bundleFiles(): ReadonlyMap<string, string> {
  const folder = dirname(command);
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
