import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAgentWorld, rulesFor, writeScript } from './agent-world.js';
import { makeSkill } from './make-skill.js';
import type { World } from './run-skills.js';

// A test runs several commands, each of which is a process.
vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createAgentWorld();
  // What is mounted in it is unmounted before.
  onTestFinished(() => world.remove());
});

/** A run whose script does something to the disk of its record, and what it is called with. */
function runWith(script: string, runs: string): readonly string[] {
  makeSkill(join(world.home, '.agents', 'skills', 'fill'), {
    files: { 'scripts/fill.sh': `#!/bin/sh\necho once >> effects\n${script}\n` },
  });
  const model = writeScript(world, rulesFor('fill', 'scripts/fill.sh'));
  const words = ['run', 'Fill it.', '--model', model, '--approve', 'run_script', '--trust-project', '--runs-dir', runs];
  // In a sandbox a script reaches no disk but that of the project.
  return [...words, '--sandbox', 'off'];
}
const effects = (): string => readFileSync(join(world.project, 'effects'), 'utf8');

test('an answer that is recorded is printed, also where no summary of the run can be written', async () => {
  const runs = world.path('runs');
  const words = runWith(`for run in ${runs}/2*; do mkdir -p $run/run.json/in-the-way; done`, runs);
  const { exitCode, stdout, stderr } = await world.run(words);
  expect([exitCode, stdout], stderr).toEqual([0, 'All is done.\nIn two lines.\n']);
  expect(stderr).toMatch(/^warning: The run is recorded, without a summary\. The record .*run\.json cannot be/mu);
  expect(stderr).toMatch(/^recorded in /mu);
});

test('where a disk is full once a script ran, the hint goes on with the run, and nothing is done twice', async ({
  skip,
}) => {
  const disk = world.path('disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', disk], { stdio: 'ignore' });
  } catch {
    skip('nothing may be mounted here');
  }
  onTestFinished(() => void execFileSync('umount', [disk]));
  const runs = join(disk, 'runs');
  const words = runWith(`head -c 2000000 /dev/zero > ${disk}/filler 2>/dev/null; head -c 9000 /dev/zero; exit 0`, runs);
  const cut = await world.run(words);
  expect([cut.exitCode, cut.stdout]).toEqual([74, '']);
  expect(cut.stderr).toContain('(ENOSPC)');
  const [, command = ''] = /go on with the run: `(skills runs resume \S+ [^`]*)`/u.exec(cut.stderr) ?? [];
  expect(command, cut.stderr).toContain(runs);
  expect(existsSync(join(disk, 'filler'))).toBe(true);
  rmSync(join(disk, 'filler'));
  const resumed = await world.runShell(command.replace(/^skills /u, '"$NODE" "$SKILLS" '));
  expect(effects(), resumed.stderr).toBe('once\n');
  expect(resumed.stderr).not.toContain('IO_ERROR');
});

test('where a disk was full before anything was asked, the hint is to run it again', async ({ skip }) => {
  const disk = world.path('disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12k', 'none', disk], { stdio: 'ignore' });
  } catch {
    skip('nothing may be mounted here');
  }
  onTestFinished(() => void execFileSync('umount', [disk]));
  const { exitCode, stderr } = await world.run(runWith('exit 0', join(disk, 'runs')));
  expect([exitCode, existsSync(join(world.project, 'effects'))]).toEqual([74, false]);
  expect(stderr).toContain('run it again');
});
