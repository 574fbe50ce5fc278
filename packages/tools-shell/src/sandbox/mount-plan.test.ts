import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBelow } from '../confine/confined-path.js';
import { planMounts, type Mount } from './mount-plan.js';

const same = (path: string) => ({ path, from: path });
const described = (mounts: readonly Mount[]) =>
  mounts.map(({ path, from, writable }) => `${writable ? 'rw' : 'ro'} ${path}${from === path ? '' : ` < ${from}`}`);

test('the workspace can be written to, and what is protected in it cannot', () => {
  const mounts = planMounts({
    workspace: '/w',
    protectedPaths: ['/w/.git', '/w/.agents'],
    shown: [{ path: '/w/.agents/skills/pdf', from: '/held' }, same('/home/me/.agents/skills/csv')],
  });
  expect(described(mounts)).toEqual([
    'rw /w',
    'ro /w/.git',
    'ro /w/.agents',
    'ro /w/.agents/skills/pdf < /held',
    'ro /home/me/.agents/skills/csv',
  ]);
});

test('no folder on the way to a skill can be renamed', () => {
  const shown = [{ path: '/w/a/b/pdf', from: '/held' }];
  const mounts = planMounts({ workspace: '/w', protectedPaths: [], shown });
  expect(described(mounts)).toEqual(['rw /w', 'rw /w/a', 'rw /w/a/b', 'ro /w/a/b/pdf < /held']);
});

test('where the workspace is the folder of the skill, it cannot be written to', () => {
  const mounts = planMounts({ workspace: '/w', protectedPaths: ['/w/.git'], shown: [{ path: '/w', from: '/held' }] });
  // What is protected in it may not be in the copy that was held.
  expect(described(mounts)).toEqual(['ro /w < /held']);
});

test('whatever is shown cannot be written to, nor moved; places come behind those around them', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', '.git'), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 4 }), fc.uniqueArray(path, { maxLength: 4 }), (kept, skills) => {
      const protectedPaths = kept.map((place) => `/w/${place}`);
      const shown = skills.map((place) => ({ path: `/w/${place}`, from: `/held/${place}` }));
      const mounts = planMounts({ workspace: '/w', protectedPaths, shown });
      for (const fixed of [...protectedPaths, ...skills.map((place) => `/w/${place}`)]) {
        const nearest = mounts.filter((mount) => isBelow(mount.path, fixed)).at(-1);
        expect(nearest?.writable, described(mounts).join()).toBe(false);
        const above = dirname(fixed);
        const around = mounts.filter((mount) => isBelow(mount.path, above)).at(-1);
        // Its parent is a place of its own, or in one that cannot be written to.
        expect(around?.path === above || around?.writable === false, described(mounts).join()).toBe(true);
      }
      for (const [index, mount] of mounts.entries()) {
        const later = mounts.slice(index + 1).filter((other) => isBelow(other.path, mount.path));
        expect(later).toEqual([]);
      }
    }),
  );
});
