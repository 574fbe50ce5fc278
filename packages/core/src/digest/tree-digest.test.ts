import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { treeDigestOf, type TreeFile } from './tree-digest.js';

const files: readonly TreeFile[] = [
  ['z.md', 'last', false],
  ['a b/c.sh', '#!/bin/sh\n', true],
  ['a/é.md', '', false],
  ['a-b.md', 'x', false],
  ['数据/\u{10000}.md', 'astral', false],
  ['数据/\uFF5E.md', 'wide', true],
].map(([path, text, executable]) => ({
  path: String(path),
  size: Buffer.byteLength(String(text)),
  digest: sha256(String(text)),
  executable: executable === true,
}));

const texts = ['last', '#!/bin/sh\n', '', 'x', 'astral', 'wide'];

const script = `
LC_ALL=C; export LC_ALL
find . -type f | sed 's|^\\./||' | sort | while IFS= read -r file; do
  flag=-; [ -x "$file" ] && flag=x
  printf '%s %s %s %s\\n' "$(sha256sum < "$file" | cut -d' ' -f1)" "$flag" "$(wc -c < "$file")" "$file"
done | sha256sum | cut -d' ' -f1`;

test.skipIf(process.platform !== 'linux')('is what a shell computes from the folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skillpack-tree-'));
  try {
    for (const [index, { path, executable }] of files.entries()) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, texts[index] ?? '');
      chmodSync(file, executable ? 0o755 : 0o644);
      expect(readFileSync(file, 'utf8')).toBe(texts[index]);
    }
    const digest = execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' }).trim();
    expect(treeDigestOf(files, sha256)).toBe(`sha256:${digest}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('does not depend on the order of the files, and leaves the list as it is', () => {
  const digest = treeDigestOf(files, sha256);
  fc.assert(
    fc.property(fc.shuffledSubarray([...files], { minLength: files.length }), (shuffled) => {
      const before = [...shuffled];
      expect(treeDigestOf(shuffled, sha256)).toBe(digest);
      expect(shuffled).toEqual(before);
    }),
  );
});

test('every part of every file counts', () => {
  const [first, ...rest] = files;
  if (first === undefined) throw new Error('There are files.');
  const changed: readonly (readonly TreeFile[])[] = [
    rest,
    [{ ...first, path: 'y.md' }, ...rest],
    [{ ...first, size: first.size + 1 }, ...rest],
    [{ ...first, digest: sha256('other') }, ...rest],
    [{ ...first, executable: !first.executable }, ...rest],
    [first, first, ...rest],
  ];
  const digests = [files, ...changed].map((list) => treeDigestOf(list, sha256));
  expect(new Set(digests).size).toBe(digests.length);
});
