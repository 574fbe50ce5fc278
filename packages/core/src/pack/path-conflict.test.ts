import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldPath } from '../digest/fold-path.js';
import { findPathConflict } from './path-conflict.js';

test.each([
  ['duplicate-path', ['a/b', 'c', 'a/b'], 'a/b', 'a/b'],
  ['case-collision', ['a/b', 'a/B'], 'a/B', 'a/b'],
  ['case-collision', ['docs/a', 'Docs/b'], 'Docs/b', 'docs'],
  ['case-collision', ['a/é', 'a/e\u0301'], 'a/e\u0301', 'a/é'],
  ['case-collision', ['a', 'A/b'], 'A/b', 'a'],
  ['file-as-folder', ['a/b', 'a/b/c'], 'a/b/c', 'a/b'],
  ['file-as-folder', ['a/b/c', 'a/b'], 'a/b', 'a/b'],
  ['file-as-folder', ['a', 'a/b/c/d'], 'a/b/c/d', 'a'],
])('finds %s in %j', (kind, paths, path, other) => {
  expect(findPathConflict(paths)).toEqual({ kind, path, other });
});

test.each([[[]], [['a', 'b', 'c/a', 'c/b', 'c/d/a']], [['a/b', 'ab', 'a-b', 'a.b']], [['constructor', '__proto__/x']]])(
  'finds nothing in %j',
  (paths) => {
    expect(findPathConflict(paths)).toBeUndefined();
  },
);

test('agrees with comparing every pair of prefixes', () => {
  const component = fc.constantFrom('a', 'A', 'b', 'é', 'e\u0301');
  const path = fc.array(component, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(fc.array(path, { maxLength: 5 }), (paths) => {
      const entries = paths.flatMap((text, index) =>
        text.split('/').map((_, depth, all) => ({
          index,
          spelled: all.slice(0, depth + 1).join('/'),
          file: depth === all.length - 1,
        })),
      );
      const conflict = entries.some((left) =>
        entries.some(
          (right) =>
            left.index < right.index &&
            foldPath(left.spelled) === foldPath(right.spelled) &&
            (left.file || right.file || left.spelled !== right.spelled),
        ),
      );
      expect(findPathConflict(paths) !== undefined).toBe(conflict);
    }),
  );
});
