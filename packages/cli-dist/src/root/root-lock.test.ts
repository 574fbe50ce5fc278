import fs, { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { refusal, temporaryFolder } from '../../test/world.js';
import { projectRoot } from './install-root.js';
import { lockRoot } from './root-lock.js';
import { rootPaths } from './root-paths.js';

test('a lock file that its last holder removed, while another one opened it, keeps nobody out and is not taken', async () => {
  const paths = rootPaths(projectRoot(join(temporaryFolder(), 'project')));
  const first = await lockRoot(paths, { timeout: 0 });
  const real = fs.openSync;
  onTestFinished(() => {
    fs.openSync = real;
    syncBuiltinESMExports();
  });
  let opened = 0;
  fs.openSync = (path, flags, mode) => {
    const descriptor = real(path, flags, mode);
    if (path === paths.mutex) {
      opened += 1;
      if (opened === 1) first.release({ prune: true });
    }
    return descriptor;
  };
  syncBuiltinESMExports();
  const second = await lockRoot(paths, { timeout: 5_000 });
  expect(opened).toBe(2);
  expect(existsSync(paths.mutex)).toBe(true);
  expect(await refusal(lockRoot(paths, { timeout: 0 }))).toMatchObject({ code: 'BUSY' });
  second.release({ prune: true });
  expect(existsSync(paths.skillsDir)).toBe(false);
});

test('a lock file that the disk does not let be removed lets others in all the same, and undoes nothing', async () => {
  const paths = rootPaths(projectRoot(join(temporaryFolder(), 'project')));
  const first = await lockRoot(paths, { timeout: 0 });
  const real = fs.unlinkSync;
  onTestFinished(() => {
    fs.unlinkSync = real;
    syncBuiltinESMExports();
  });
  fs.unlinkSync = () => {
    throw Object.assign(new Error('EIO: i/o error, unlink'), { code: 'EIO', syscall: 'unlink' });
  };
  syncBuiltinESMExports();
  first.release({ prune: true });
  expect(existsSync(paths.mutex)).toBe(true);
  (await lockRoot(paths, { timeout: 0 })).release();
});
