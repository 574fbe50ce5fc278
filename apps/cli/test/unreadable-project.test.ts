import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSkill } from './make-skill.js';
import { createWorld, type World } from './run-skills.js';

let world: World;
let file: string;
beforeEach(async () => {
  world = createWorld();
  file = join(world.project, 'skillpack.json');
  makeSkill(world.path('tool'), {});
  await world.run(['install', world.path('tool')]);
});
afterEach(() => world.remove());

const states: readonly (readonly [string, (path: string) => void, string])[] = [
  ['with conflict markers', (path) => writeFileSync(path, '{\n<<<<<<< a\n=======\n>>>>>>> b\n}\n'), 'in line 2'],
  ['that is empty', (path) => writeFileSync(path, ''), 'is not JSON'],
  ['with a folder in its place', (path) => mkdirSync(path), 'is not a regular file'],
  ['that is too large', (path) => writeFileSync(path, ' '.repeat(65 * 1024 * 1024)), 'are read'],
];

test.each(states)('of a skillpack.json %s, the doctor tells, and others say what to do', async (_, make, told) => {
  rmSync(file);
  make(file);
  for (const words of [['doctor'], ['doctor', '--repair']]) {
    const { exitCode, json } = await world.run([...words, '--json']);
    expect(exitCode).toBe(1);
    expect(json().data.findings).toMatchObject([
      { kind: 'project-unreadable', subject: file, message: expect.stringContaining(told) },
    ]);
  }
  for (const command of ['verify', 'install', 'update', 'outdated', 'uninstall']) {
    const { exitCode, json } = await world.run([command, ...(command === 'uninstall' ? ['tool'] : []), '--json']);
    expect([2, 4, 74], command).toContain(exitCode);
    expect(json().error, command).toMatchObject({ message: expect.stringContaining(told), hint: expect.any(String) });
  }
  // What is wrong with a project says nothing of another root.
  for (const command of ['doctor', 'verify']) {
    expect((await world.run([command, '--scope', 'user'])).exitCode, command).toBe(0);
  }
});

test('the doctor does not say that nothing is wrong where a setting of the project ends other commands', async () => {
  writeFileSync(file, '{"packs":{},"registries":{"default":"ftp://host/"}}');
  rmSync(join(world.project, '.agents'), { recursive: true });
  rmSync(join(world.project, 'skillpack-lock.json'));
  const { exitCode, stderr } = await world.run(['doctor']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('error[INVALID_CONFIG]')]);
});

test('a merge of two branches that each added a pack leaves markers that are named by their line', async () => {
  const git = (...words: string[]): number | null =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: world.project }).status;
  rmSync(join(world.project, '.git'), { recursive: true });
  const commit = (packs: object): void => {
    writeFileSync(file, `${JSON.stringify({ packs }, undefined, 2)}\n`);
    git('add', 'skillpack.json');
    expect(git('commit', '-qm', 'packs')).toBe(0);
  };
  expect(git('init', '-qb', 'main')).toBe(0);
  commit({});
  git('checkout', '-qb', 'other');
  commit({ 'acme/csv': '^1.0.0' });
  git('checkout', '-q', 'main');
  commit({ 'acme/mail': '^1.0.0' });
  expect(git('merge', 'other')).toBe(1);
  const { exitCode, stderr } = await world.run(['install']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${file} holds a merge-conflict marker in line 3.`);
  expect(stderr).toContain('hint: Keep what you want of both sides');
});
