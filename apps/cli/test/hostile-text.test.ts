import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createArchiveWriter, sha256 } from '@skillpack/cli-dist';
import { formatManifest, treeDigestOf, type PackFile, type PackManifest, type PackName } from '@skillpack/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from './run-skills.js';

// Clears the screen, sets the title of the window, writes over the line, turns the text around, hides a part of it.
const nasty = 'x\u001B[2J\u001B]0;owned\u0007\r\u009B31m\u202Egpj.exe\u202C\u200B\u{E0041}\u2028\u2066\uFEFFy';
const harmful =
  // oxlint-disable-next-line eslint/no-control-regex -- finding control characters is what it is for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|[\u{E0000}-\u{E007F}]/u;

let world: World;
let archive: string;
let registry: string;

beforeAll(() => {
  world = createWorld();
  registry = world.path('registry');
  archive = world.path('evil.tgz');
  const body = Buffer.from(
    `---\nname: x\ndescription: ${JSON.stringify(nasty)}\nlicense: ${JSON.stringify(nasty)}\nmetadata:\n  author: ${JSON.stringify(nasty)}\nodd-${JSON.stringify(nasty)}: 1\n---\n\n# ${nasty}\n`,
  );
  const file: PackFile = { path: 'x/SKILL.md', size: body.length, digest: sha256(body), executable: false };
  const manifest: PackManifest = {
    name: 'evil/x' as PackName,
    version: '1.0.0',
    description: nasty,
    license: nasty,
    keywords: [nasty],
    homepage: nasty,
    skills: [{ name: 'x', path: 'x', description: nasty }],
    dependencies: {},
    requires: { bins: [nasty] },
    files: [file],
    treeDigest: treeDigestOf([file], sha256),
  };
  const bytes = createArchiveWriter().write(
    [
      { path: 'manifest.json', bytes: Buffer.from(formatManifest(manifest)), executable: false },
      { path: 'x/SKILL.md', bytes: body, executable: false },
    ],
    'tgz',
  );
  writeFileSync(archive, bytes);
  // A skill of the person's own, with a file whose name is an attack.
  const own = join(world.home, '.agents', 'skills', 'own');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'SKILL.md'), body);
  if (process.platform !== 'win32') writeFileSync(join(own, `a\u001B[2J\u202E.txt`), '');
});
afterAll(() => world.remove());

const words: readonly (readonly string[])[] = [
  ['verify', './evil.tgz'],
  ['publish', './evil.tgz', '--to', './registry'],
  ['registry', 'build', './registry'],
  ['search', 'x'],
  ['inspect', 'evil/x'],
  ['install', 'evil/x', '--verbose'],
  ['list'],
  ['list', '--source', 'user'],
  ['inspect', 'x'],
  ['inspect', 'x', '--body'],
  ['inspect', 'x', '--source', 'user', '--body'],
  ['lint', '.agents', 'home/.agents'],
  ['lint', '--strict', 'home/.agents'],
  ['verify'],
  ['outdated'],
  ['doctor'],
  ['uninstall', 'x'],
  ['install', nasty],
  ['install', `evil/x@${nasty}`],
  ['install', `./${nasty}`],
  ['install', `https://127.0.0.1:9/${nasty}`],
  ['inspect', nasty],
  ['init', nasty],
  [nasty],
  ['list', `--${nasty}`],
  ['list', '--scope', nasty],
  ['list', '--cwd', nasty],
  ['search', 'x', '--registry', nasty],
];

test('no text of a stranger reaches a terminal as it is, whatever the command', { timeout: 120_000 }, async () => {
  const done: string[] = [];
  for (const command of words) {
    for (const extra of [[], ['--json']]) {
      const { exitCode, stdout, stderr } = await world.run([...command, ...extra], {
        cwd: world.path(),
        env: { SKILLS_REGISTRY: registry },
      });
      expect(exitCode, `${command.join(' ')}: ${stderr}`).not.toBe(70);
      if (exitCode === 0) done.push(command[0] ?? '');
      expect(`${stdout}${stderr}`, command.join(' ')).not.toMatch(harmful);
    }
  }
  // The attack went all the way, and was not turned away at the door.
  expect(new Set(done)).toEqual(
    new Set([
      'verify',
      'publish',
      'registry',
      'search',
      'inspect',
      'install',
      'list',
      'lint',
      'outdated',
      'doctor',
      'uninstall',
    ]),
  );
});

test('a variable of the environment is shown no better', async () => {
  for (const name of ['SKILLS_OFFLINE', 'SKILLS_REGISTRY', 'SKILLS_DIRS', 'SKILLS_CACHE']) {
    const { stdout, stderr } = await world.run(['cache', 'info'], { env: { [name]: nasty } });
    expect(`${stdout}${stderr}`, name).not.toMatch(harmful);
  }
});
