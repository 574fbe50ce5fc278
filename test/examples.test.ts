import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));

test('there are examples', () => expect(examples).not.toEqual([]));

test.each(examples)('examples/%s runs against the built packages', { timeout: 60_000 }, (name) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [join('examples', name)], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toContain('every file is as it was published');
});
