import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSkill } from './make-skill.js';
import { createWorld, finished, type SkillsRun, type World } from './run-skills.js';
import { serveSlowly } from './slow-registry.js';

// Where no folder can be made, Node's `recursive` tries for ever.
const nowhere = '/proc/no/place';
const patience = 15_000;

let world: World;
beforeEach(() => {
  world = createWorld();
  makeSkill(world.path('tool'), { pack: { name: 'acme/tool', version: '1.0.0' } });
});
afterEach(() => world.remove());

/** Runs a command, which is killed if it does not end. */
async function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<SkillsRun> {
  const child = world.start(words, { env });
  const timer = setTimeout(() => child.kill('SIGKILL'), patience);
  const outcome = await finished(child);
  clearTimeout(timer);
  return outcome;
}

test.runIf(process.platform === 'linux')(
  'without a cache, since no folder can be made for it, every command goes on',
  async () => {
    const folder = world.path('registry');
    expect(await run(['publish', world.path('tool'), '--to', folder])).toMatchObject({ exitCode: 0 });
    const registry = await serveSlowly(folder, { pieces: 1, pause: 0 });
    const env = { SKILLS_REGISTRY: registry.url, SKILLS_CACHE: nowhere, XDG_CACHE_HOME: nowhere };
    const commands = [
      ['install', 'acme/tool'],
      ['install'],
      ['list'],
      ['search', 'tool'],
      ['outdated'],
      ['update'],
      ['verify'],
      ['doctor'],
      ['cache', 'info'],
      ['cache', 'clean'],
      ['install', world.path('tool')],
      ['uninstall', 'acme/tool'],
    ];
    const outcomes: unknown[] = [];
    for (const words of commands) outcomes.push([words[0], (await run(words, env)).exitCode]);
    registry.close();
    expect(outcomes).toEqual(commands.map(([name]) => [name, 0]));
  },
);

test.runIf(process.platform === 'linux').each<[string, (tool: string) => readonly string[]]>([
  ['an archive', (tool) => ['pack', tool, '--out', join(nowhere, 'tool.tgz')]],
  ['a registry', (tool) => ['publish', tool, '--to', nowhere]],
  ['a skill', () => ['init', 'skill', '--cwd', '/proc']],
])('where no folder can be made for %s, that is an error', async (_, words) => {
  const { exitCode, stdout, stderr } = await run(words(world.path('tool')));
  expect(exitCode, stdout + stderr).toBe(74);
  expect(stderr).toContain('error[IO_ERROR]');
});

test.each([
  ['.agents', ['install', 'acme/tool']],
  ['.agents', ['verify']],
  ['.agents/skills', ['install', 'acme/tool']],
])('what stands in the place of %s is named, with the next step', async (place, words) => {
  const folder = world.path('registry');
  expect(await run(['publish', world.path('tool'), '--to', folder])).toMatchObject({ exitCode: 0 });
  const path = join(world.project, place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'a file');
  const { exitCode, stderr } = await run(words, { SKILLS_REGISTRY: folder });
  expect([exitCode, stderr]).toEqual([
    74,
    `error[IO_ERROR]: ${path} is a file, where a folder belongs.\n` +
      'hint: Move it away, then run it again; or choose another folder with --root.\n',
  ]);
});

test.runIf(process.platform === 'linux')(
  'an install into a root that cannot be made says to choose another',
  async () => {
    const folder = world.path('registry');
    expect(await run(['publish', world.path('tool'), '--to', folder])).toMatchObject({ exitCode: 0 });
    for (const root of ['/proc', nowhere]) {
      const { exitCode, stderr } = await run(['install', 'acme/tool', '--root', root], { SKILLS_REGISTRY: folder });
      expect([root, exitCode]).toEqual([root, 74]);
      expect(stderr).toMatch(
        /^error\[IO_ERROR\]: .*\nhint: No folder can be made there: choose another one with --root\.\n$/u,
      );
    }
  },
);
