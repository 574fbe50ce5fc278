import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportPage } from '../src/node.js';

const folder = join(import.meta.dirname, '..');
const root = join(folder, '..', '..');

test('the page of a report compiles with the types of a browser', { timeout: 60_000 }, () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', join(folder, 'page')], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

test('PSA-35: the built page is there, holds nothing that ends its element, and is known by its hash', async () => {
  const page = await reportPage();
  expect(page.scriptHash).toBe(`sha256-${createHash('sha256').update(page.script).digest('base64')}`);
  expect(page.styleHash).toBe(`sha256-${createHash('sha256').update(page.style).digest('base64')}`);
  expect(page.script).not.toMatch(
    /<\/script|<!--|innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|fetch\(/u,
  );
  expect(page.style).not.toMatch(/<\/style|url\(|@import/u);
  // What a page weighs with nothing in it.
  expect(page.script.length + page.style.length).toBeLessThan(100_000);
});

test(
  'the page is among the files of the published package, and found beside the built program',
  { timeout: 60_000 },
  () => {
    const { files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { files: readonly string[] };
    expect(files).toContain('dist');
    // Without the condition that leads to sources: what an install finds.
    const program = `import { reportPage } from '@skillpack/evals/node'; process.stdout.write((await reportPage()).scriptHash);`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([stdout.slice(0, 7), stderr]).toEqual(['sha256-', '']);
  },
);
