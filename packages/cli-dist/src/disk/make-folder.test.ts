import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/world.js';
import { makeFolder } from './make-folder.js';

const sources = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'registry', 'resolve-sources.ts');
const tracing = process.platform === 'linux' && spawnSync('strace', ['true']).status === 0;

test('a folder is made with those above it, and the first that was made is told', () => {
  const dir = temporaryFolder();
  expect(makeFolder(join(dir, 'a', 'b', 'c'))).toBe(join(dir, 'a'));
  expect(makeFolder(join(dir, 'a', 'b', 'c'))).toBeUndefined();
  expect(makeFolder(join(dir, 'a', 'b', 'd'))).toBe(join(dir, 'a', 'b', 'd'));
});

test.skipIf(process.platform === 'win32')('all that are made have the mode, and what was there keeps its own', () => {
  const dir = temporaryFolder();
  const mode = (path: string): number => statSync(path).mode & 0o777;
  mkdirSync(join(dir, 'there'), { mode: 0o755 });
  makeFolder(join(dir, 'there', 'a', 'b'), 0o700);
  expect(['there', 'there/a', 'there/a/b'].map((path) => mode(join(dir, path)))).toEqual([0o755, 0o700, 0o700]);
  mkdirSync(join(dir, 'usual'));
  makeFolder(join(dir, 'open'));
  expect(mode(join(dir, 'open'))).toBe(mode(join(dir, 'usual')));
});

test('a file in the way is told of', () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'a'));
  writeFileSync(join(dir, 'a', 'file'), '');
  expect(() => makeFolder(join(dir, 'a', 'file'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(() => makeFolder(join(dir, 'a', 'file', 'b'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
});

test.skipIf(process.platform === 'win32')('where no folder can be made, that is told once', () => {
  const dir = temporaryFolder();
  symlinkSync(join(dir, 'nowhere'), join(dir, 'link'));
  expect(() => makeFolder(join(dir, 'link', 'a', 'b'))).toThrow(expect.objectContaining({ syscall: 'mkdir' }));
  expect(readdirSync(dir)).toEqual(['link']);
});

test.runIf(process.platform === 'linux')('a file system that has no place for folders refuses them', () => {
  expect(() => makeFolder('/proc/no/folder')).toThrow(expect.objectContaining({ syscall: 'mkdir' }));
});

test.runIf(tracing).each(['EROFS', 'EDQUOT', 'EIO', 'EACCES'])('%s is told as the disk tells it', (code) => {
  const path = join(temporaryFolder(), 'a', 'b');
  const script = `
    import { makeFolder } from ${JSON.stringify(join(import.meta.dirname, 'make-folder.ts'))};
    try { makeFolder(${JSON.stringify(path)}); } catch ({ code, errno }) { console.log(code, -errno); }`;
  const node = [process.execPath, '--conditions=skillpack-source', '--import', sources];
  const flags = ['-f', '-qq', '-o', '/dev/null', '-e', `inject=mkdir:error=${code}`, '-e', 'trace=mkdir'];
  const words = [...flags, ...node, '--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync('strace', words, { encoding: 'utf8' });
  // libuv has no name for a quota that is used up; its number is 122 here.
  expect(stdout.trim(), stderr).toMatch(code === 'EDQUOT' ? / 122$/u : new RegExp(`^${code} `, 'u'));
  expect(existsSync(path)).toBe(false);
});
