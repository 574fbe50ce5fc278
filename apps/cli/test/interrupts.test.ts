import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSkill } from './make-skill.js';
import { command, createWorld, finished, type World } from './run-skills.js';
import { serveSlowly, type SlowRegistry } from './slow-registry.js';

let world: World;
let registry: SlowRegistry | undefined;

beforeEach(async () => {
  world = createWorld();
  const folder = makeSkill(world.path('source', 'large'), {
    files: { 'assets/noise.txt': randomBytes(200_000).toString('hex') },
    pack: { name: 'acme/large', version: '1.0.0' },
  });
  await world.run(['publish', folder, '--to', world.path('registry')]);
});
afterEach(() => {
  registry?.close();
  registry = undefined;
  world.remove();
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test.skipIf(process.platform === 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s in the middle of a download cleans up and exits with %d', async (signal, exitCode) => {
  registry = await serveSlowly(world.path('registry'), { pieces: 1000, pause: 50 });
  const child = world.start(['install', 'acme/large', '--json'], { env: { SKILLS_REGISTRY: registry.url } });
  await registry.started;
  child.kill(signal);
  const ended = await finished(child);
  expect(ended).toMatchObject({ exitCode, stderr: '' });
  expect(ended.json()).toMatchObject({ ok: false, error: { code: 'INTERRUPTED' } });
  expect(filesBelow(world.project)).toEqual([]);
  expect(filesBelow(join(world.home, '.cache')).filter((path) => path.includes('sha256'))).toEqual([]);
  const again = await world.run(['install', 'acme/large'], { env: { SKILLS_REGISTRY: world.path('registry') } });
  expect(again.exitCode).toBe(0);
});

const terminal = `
import os, pty, sys
status = pty.spawn(sys.argv[1:], lambda descriptor: os.read(descriptor, 65536))
sys.exit(os.waitstatus_to_exitcode(status))
`;
const python = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!python)('progress is drawn on a terminal after a second, and nothing of it stays', async () => {
  registry = await serveSlowly(world.path('registry'), { pieces: 30, pause: 100 });
  const words = [process.execPath, command, 'install', 'acme/large', '--registry', registry.url];
  const child = spawn('python3', ['-c', terminal, ...words], {
    cwd: world.project,
    env: { PATH: process.env['PATH'] ?? '', HOME: world.home, TERM: 'xterm', COLUMNS: '100' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { exitCode, stdout } = await finished(child);
  expect(exitCode).toBe(0);
  const drawn = stdout.split('\r\u001B[2K');
  const progress = drawn.filter((line) => line.startsWith('Fetching'));
  expect(progress.length).toBeGreaterThan(5);
  expect(progress.at(-1)).toMatch(/^Fetching 0 of 1 packs, [\d.]+ KiB of [\d.]+ KiB, [\d.]+ [KM]iB\/s \(\d s\)$/u);
  expect(drawn.at(-1)).toContain('1 pack added');
});

test('on a pipe there is no progress, and with --verbose each step is a line', async () => {
  registry = await serveSlowly(world.path('registry'), { pieces: 30, pause: 60 });
  const env = { SKILLS_REGISTRY: registry.url };
  expect((await world.run(['install', 'acme/large', '--dry-run'], { env })).stderr).toBe('');
  const { stderr } = await world.run(['install', 'acme/large', '--verbose'], { env });
  expect(stderr).toMatch(/^resolved 1 packs, 1 to change$/mu);
  expect(stderr).not.toContain('\u001B');
  expect(stderr).not.toContain('\r');
});
