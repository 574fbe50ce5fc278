import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemHome } from './system-home.js';

test('the home of whoever has one is told', () => {
  expect(systemHome()).toBe(homedir());
});

// Only root becomes somebody who has no name.
test.skipIf(process.getuid?.() !== 0 || process.platform !== 'linux')('that of a user without a name is none', () => {
  const program = 'const { systemHome } = await import(process.argv[1]); console.log(JSON.stringify(systemHome()))';
  const words = ['--input-type=module', '-e', program, join(import.meta.dirname, 'system-home.ts')];
  const options = { cwd: '/', encoding: 'utf8', env: {}, uid: 4_123_456, gid: 4_123_456 } as const;
  const { stdout, stderr } = spawnSync(process.execPath, words, options);
  // Where the sources lie in a home, nobody else reads them.
  if (stderr.includes('EACCES') || stderr.includes('EPERM')) return;
  expect(stdout, stderr).toBe('""\n');
});
