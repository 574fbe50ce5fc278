import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/world.js';
import { sha256 } from '../archive/sha256.js';
import { compareSkill } from './compare-skill.js';

const file = { path: 'pdf/SKILL.md', size: 4, digest: sha256('text'), executable: false };

/** Compares a skill of one file, to which something is done after its folder was listed and before the file is opened. */
function compareMeanwhile(change: (path: string, dir: string) => void): ReturnType<typeof compareSkill> {
  const dir = temporaryFolder();
  const path = join(dir, file.path);
  mkdirSync(join(dir, 'pdf'));
  writeFileSync(path, 'text');
  // Whether to stop is asked before each file.
  let changed = false;
  const signal = Object.defineProperty(new AbortController().signal, 'aborted', {
    get: () => {
      if (!changed) change(path, dir);
      changed = true;
      return false;
    },
  });
  return compareSkill({ skillsDir: dir, skill: 'pdf', files: [file] }, { signal });
}

test('a file that stays is what it was', () => {
  expect(compareMeanwhile(() => {})).toEqual({ findings: [], files: 1, bytes: 4 });
});

test.skipIf(process.platform === 'win32')('a link that takes the place of a file is not followed', () => {
  const { findings, files } = compareMeanwhile((path, dir) => {
    renameSync(path, join(dir, 'elsewhere.md'));
    symlinkSync(join(dir, 'elsewhere.md'), path);
  });
  expect({ findings, files }).toMatchObject({ findings: [{ kind: 'unreadable', path: file.path }], files: 0 });
});

test.skipIf(process.platform === 'win32')('a pipe that takes the place of a file keeps nobody waiting', () => {
  const before = performance.now();
  const { findings } = compareMeanwhile((path) => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
    // Who waits for a writer is given one, late.
    const writer = spawn('sh', ['-c', 'sleep 10; exec : > "$0"', path], { stdio: 'ignore' });
    onTestFinished(() => void writer.kill());
  });
  expect(findings).toMatchObject([{ kind: 'modified', path: file.path }]);
  expect(performance.now() - before).toBeLessThan(5_000);
});
