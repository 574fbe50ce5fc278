import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/script-ground.js';
import { codeFolders } from './own-code.js';

function makeFile(workspace: string, path: string): string {
  const file = join(workspace, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  return file;
}

test('of what is installed in a workspace, all packages hold its code; of its sources, their package does', () => {
  const workspace = temporaryFolder();
  const installed = makeFile(workspace, 'node_modules/.store/a/node_modules/a/index.js');
  const other = makeFile(workspace, 'node_modules/b/index.js');
  const source = makeFile(workspace, 'packages/c/src/d/index.js');
  const loose = makeFile(workspace, 'loose/e/index.js');
  makeFile(workspace, 'packages/c/package.json');
  makeFile(workspace, 'package.json');
  expect(codeFolders(workspace, [installed, other, source, loose, join(workspace, 'none.js')])).toEqual([
    join(workspace, 'node_modules'),
    join(workspace, 'packages/c'),
    join(workspace, 'loose/e'),
  ]);
});

test('what lies elsewhere is none of it, and this program is looked at by itself', () => {
  expect(codeFolders(temporaryFolder(), [import.meta.filename])).toEqual([]);
  expect(codeFolders(join(import.meta.dirname, '../../../..'))).toEqual([join(import.meta.dirname, '../..')]);
});
