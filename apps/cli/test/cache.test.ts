import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { makeSkill } from './make-skill.js';
import { createWorld, type SkillsRun, type World } from './run-skills.js';
import { serveSlowly } from './slow-registry.js';

let registry: Awaited<ReturnType<typeof serveSlowly>>;
let publisher: World;
let world: World;

beforeAll(async () => {
  publisher = createWorld();
  const pack = makeSkill(publisher.path('tool'), { pack: { name: 'acme/tool', version: '1.0.0' } });
  await publisher.run(['publish', pack, '--to', publisher.path('registry')]);
  registry = await serveSlowly(publisher.path('registry'), { pieces: 1, pause: 0 });
});
afterAll(() => {
  registry.close();
  publisher.remove();
});
beforeEach(() => {
  const made = createWorld();
  world = made;
  onTestFinished(() => made.remove());
});

async function run(...words: string[]): Promise<SkillsRun> {
  return world.run(words, { env: { SKILLS_REGISTRY: registry.url } });
}

/** Makes the folder in place of which, or in which, a test puts something. */
async function cacheFolder(): Promise<string> {
  const folder = (await run('cache', 'info', '--json')).json().data.path as string;
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The kinds of what can be kept and of which nothing is. */
async function missing(): Promise<readonly string[]> {
  const { others } = (await run('cache', 'info', '--json')).json().data as {
    others: { kind: string; files: number }[];
  };
  return others.filter(({ files }) => files === 0).map(({ kind }) => kind);
}

test('cache clean leaves nothing of ours, and everything of others', { timeout: 60_000 }, async () => {
  await run('install', 'acme/tool');
  // What was changed a moment ago is not remembered.
  for (let patience = 20; patience > 0 && (await missing()).length > 0; patience -= 1) {
    await delay(500);
    await run('install');
    await run('list');
  }
  expect(await missing()).toEqual([]);
  const folder = await cacheFolder();
  const mine = ['notes.txt', 'http/notes.cache', 'scan/mine.scan', 'seals/mine.seal', 'compile/mine/00000000'];
  for (const file of mine) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), 'mine');
  }
  writeFileSync(join(folder, 'http', '00000000-0000-4000-8000-000000000000.tmp'), 'half');
  const cleaned = (await run('cache', 'clean', '--json')).json().data;
  expect(cleaned).toMatchObject({
    archives: 1,
    others: ['documents', 'scans', 'seals', 'code'].map((kind) => ({ kind })),
  });
  const left = (readdirSync(folder, { recursive: true }) as string[]).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  expect(left.map((path) => path.replaceAll('\\', '/')).toSorted()).toEqual(mine.toSorted());
});

test('what a killed download left is counted by cache info, and removed and told by cache clean', async () => {
  const file = join(await cacheFolder(), 'blobs', 'sha256', 'ab', '.skillpack-tmp-0123456789abcdef');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'half');
  expect((await run('cache', 'info', '--json')).json().data).toMatchObject({
    archives: 0,
    bytes: 0,
    unfinished: { files: 1, bytes: 4 },
  });
  expect((await run('cache', 'info')).stdout).toContain('0 archives, 0 B; 1 unfinished download, 4 B');
  expect((await run('cache', 'clean')).stdout).toContain('Removed 0 archives, 0 B; 1 unfinished download, 4 B');
  expect(existsSync(file)).toBe(false);
});

test('a cache that cannot be written is told of once, with the cause, and by cache info', async () => {
  const file = world.path('cache');
  writeFileSync(file, 'a file');
  const env = { SKILLS_REGISTRY: registry.url, SKILLS_CACHE: file };
  const installed = await world.run(['install', 'acme/tool'], { env });
  expect(installed.exitCode).toBe(0);
  expect(installed.stderr).toMatch(
    /^warning: The cache could not keep what was fetched: [^\n]*cache[^\n]* \(E[A-Z]+\)\.\n$/u,
  );
  rmSync(join(world.project, '.agents'), { recursive: true });
  const offline = await world.run(['install', '--frozen', '--offline'], { env });
  expect(offline.stderr).toMatch(/^error\[OFFLINE\]: .*\nhint: .*`skills cache info` tells why\.\n$/u);
  const info = await world.run(['cache', 'info'], { env });
  expect([info.exitCode, info.stdout]).toEqual([0, expect.stringContaining('It cannot be written (ENOTDIR)')]);
  expect((await run('cache', 'info', '--json')).json().data.unwritable).toBeNull();
});

test.skipIf(process.platform === 'win32')('what links lead to is not emptied by cache clean', async () => {
  const folder = await cacheFolder();
  const elsewhere = world.path('elsewhere');
  mkdirSync(elsewhere);
  const file = join(elsewhere, `${'0'.repeat(64)}.cache`);
  writeFileSync(file, 'not ours');
  symlinkSync(elsewhere, join(folder, 'http'));
  const cleaned = await run('cache', 'clean', '--json');
  expect([cleaned.exitCode, cleaned.json().data.others[0]]).toEqual([0, expect.objectContaining({ files: 0 })]);
  expect(readFileSync(file, 'utf8')).toBe('not ours');
});

test('cache verify removes what a process left that died an hour ago, wherever it wrote', async () => {
  const folder = await cacheFolder();
  const names = [
    'http/00000000-0000-4000-8000-000000000000.tmp',
    'scan/00000000.scan.4711',
    'seals/.skillpack-tmp-0123456789abcdef',
    'compile/v24.0.0-x64-00000000-0/00000000.aB3dE6',
  ];
  const place = (name: string): string => join(folder, ...name.split('/'));
  const before = new Date(Date.now() - 61 * 60 * 1000);
  for (const name of names) {
    mkdirSync(dirname(place(name)), { recursive: true });
    writeFileSync(place(name), 'half');
  }
  expect((await run('cache', 'verify', '--json')).json().data.leftovers).toEqual([]);
  for (const name of names) utimesSync(place(name), before, before);
  const verified = await run('cache', 'verify', '--json');
  expect([verified.exitCode, verified.json().data.leftovers]).toEqual([0, names.map(place)]);
  expect(names.map(place).filter((path) => existsSync(path))).toEqual([]);
});
