import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder, windows } from '../../test/script-ground.js';
import { checkHides, homeFolders } from './hidden-places.js';

test('the home that a variable names is hidden, and so is the one that the system knows', () => {
  vi.stubEnv('HOME', '/somewhere/me');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(homeFolders()).toContain('/somewhere/me');
  expect(homeFolders()).toContain(userInfo().homedir);
  for (const folder of ['/somewhere', '/somewhere/me', '/']) {
    expect(() => checkHides(folder), folder).toThrow(expect.objectContaining({ code: 'TOOL_NOT_ALLOWED' }));
  }
  checkHides('/somewhere/me/project');
  checkHides('/somewhere/else');
});

test.skipIf(windows)('where a home is a link, or lies behind one, what it leads to is hidden', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'disk/me/project'), { recursive: true });
  symlinkSync(join(folder, 'disk'), join(folder, 'homes'));
  vi.stubEnv('HOME', join(folder, 'homes/me'));
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const place of ['homes/me', 'disk/me', 'disk']) {
    expect(() => checkHides(join(folder, place)), place).toThrow(expect.objectContaining({ code: 'TOOL_NOT_ALLOWED' }));
  }
  checkHides(join(folder, 'disk/me/project'));
  vi.stubEnv('TMPDIR', join(folder, 'homes/me/project'));
  expect(() => checkHides(join(folder, 'disk/me/project'))).toThrow(/has to hide/u);
});

test('a home that is no absolute path is none', () => {
  vi.stubEnv('HOME', 'here');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(homeFolders()).not.toContain('here');
});

// Only root becomes somebody who has no name.
test.skipIf(process.getuid?.() !== 0 || process.platform !== 'linux')(
  'whoever has no name and no home runs it, too',
  () => {
    const file = join(import.meta.dirname, 'hidden-places.ts');
    const sources = join(import.meta.dirname, '../../../../test/registry/resolve-sources.ts');
    const program = 'const { homeFolders } = await import(process.argv[1]); console.log(JSON.stringify(homeFolders()))';
    const words = ['--conditions=skillpack-source', '--import', sources, '--input-type=module', '-e', program, file];
    const options = { cwd: '/', encoding: 'utf8', env: {}, uid: 4_123_456, gid: 4_123_456 } as const;
    const { stdout, stderr } = spawnSync(process.execPath, words, options);
    // Where the sources lie in a home, nobody else reads them.
    if (stderr.includes('EACCES') || stderr.includes('EPERM')) return;
    expect(stdout, stderr).toBe('[]\n');
    expect(homedir()).not.toBe('');
  },
);
