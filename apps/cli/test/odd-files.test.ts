import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWorld, type World } from './run-skills.js';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

const reads: readonly (readonly [file: string, ...words: string[]])[] = [
  ['skillpack.json', 'outdated'],
  ['.agents/config.json', 'list'],
  ['pack.tgz', 'verify', './pack.tgz'],
];

describe.skipIf(process.platform === 'win32')('a file of a project that is no file', () => {
  test.each(reads)('%s: a device or a FIFO is refused at once by skills %s', async (file, ...words) => {
    const path = join(world.project, file);
    mkdirSync(dirname(path), { recursive: true });
    const makes = [() => symlinkSync('/dev/zero', path), () => execFileSync('mkfifo', [path])];
    for (const make of makes) {
      make();
      const { exitCode, stderr } = await world.run(words);
      expect([exitCode, stderr]).toEqual([
        74,
        `error[IO_ERROR]: ${path} is not a regular file.\nhint: Move away what stands in its place, or put the file there again.\n`,
      ]);
      rmSync(path);
    }
  });

  test('lint of a device or a FIFO says that it is no SKILL.md', async () => {
    execFileSync('mkfifo', [join(world.project, 'SKILL.md')]);
    for (const path of ['/dev/zero', './SKILL.md']) {
      const { exitCode, stderr } = await world.run(['lint', path]);
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining('is no SKILL.md.')]);
    }
  });
});
