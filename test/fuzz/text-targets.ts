import { strictEqual } from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import {
  compareVersions,
  findPathConflict,
  foldPath,
  isPackName,
  isTagName,
  isVersion,
  isVersionRange,
  judgePath,
  newestInRange,
  parsePackName,
  parsePackSpec,
  parseVersion,
  satisfiesRange,
} from '@skillpack/core';
import { PathTree } from '../../packages/cli-dist/src/archive/path-tree.js';
import { fuzzTarget, refusedOr, type FuzzTarget } from './fuzz-target.js';
import { anyText, editedText } from './text-pieces.js';
import { comparePlain, liesInAll, plainVersion, type PlainRange } from './version-oracle.js';

const names = ['org/pdf', 'my-org/my-pack-2', 'a/b', `${'x'.repeat(64)}/y`, '@org/pdf', 'Org/PDF', 'aux/b', 'a/com1x'];
const nameLike = fc.stringMatching(/^[a-z0-9-]{1,8}\/[a-zA-Z0-9_-]{1,8}$/u);
const devices = /^(?:con|prn|aux|nul|(?:com|lpt)\d)$/u;

function looksLikeName(text: string): boolean {
  const parts = text.split('/');
  const fine = (part: string) =>
    part.length >= 1 &&
    part.length <= 64 &&
    [...part].every((character) => 'abcdefghijklmnopqrstuvwxyz0123456789-'.includes(character)) &&
    part.split('-').every((word) => word !== '') &&
    !devices.test(part);
  return parts.length === 2 && parts.every(fine);
}

const packName = fuzzTarget({
  name: 'pack-name',
  input: fc.oneof(nameLike, editedText(fc.constantFrom(...names), { least: 0 }), anyText),
  judge(text: string) {
    const expected = looksLikeName(text);
    strictEqual(isPackName(text), expected, 'it is not the name that the rules make it');
    const parsed = refusedOr(['INVALID_PACK_NAME'], () => parsePackName(text));
    strictEqual(parsed, expected ? text : undefined, 'it is read as another name');
    return expected;
  },
  sample: 1_000,
});

const specs = ['org/pdf', 'org/pdf@^1.2.0', 'org/pdf@beta', './pdf', '../a.tgz', '~/x', 'C:\\x', 'https://a.org/p.tgz'];

const packSpec = fuzzTarget({
  name: 'pack-spec',
  input: fc.oneof(editedText(fc.constantFrom(...specs), { least: 0 }), anyText),
  judge(text: string) {
    const spec = refusedOr(['INVALID_SPEC', 'INVALID_PACK_NAME', 'INVALID_RANGE'], () => parsePackSpec(text));
    if (spec === undefined) return false;
    if (spec.kind === 'registry') {
      const { name, range } = spec;
      strictEqual(isPackName(name), true, 'the pack has no name');
      strictEqual(range === undefined ? name : `${name}@${range}`, text.trim(), 'the parts are not the text');
      if (range !== undefined) strictEqual(isVersionRange(range) !== isTagName(range), true, 'it has two meanings');
    } else {
      strictEqual(spec.kind === 'url' ? spec.url : spec.path, text.trim(), 'the place is not the text');
      if (spec.kind === 'url') strictEqual(/^https?:$/u.test(new URL(spec.url).protocol), true, 'it is no web address');
    }
    return true;
  },
  sample: 1_000,
});

const small = fc.oneof({ weight: 9, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.nat() });
const identifier = fc.constantFrom('0', '1', '2', '10', 'a', 'b', 'rc', 'A', '-', '0a', '00a', '99999999999999999999');
const versionText = fc
  .tuple(small, small, small, fc.array(identifier, { maxLength: 3 }), fc.constantFrom('', '', '+1', '+a.b-c'))
  .map(([major, minor, patch, pre, build]) => {
    const prerelease = pre.length === 0 ? '' : `-${pre.join('.')}`;
    return `${major}.${minor}.${patch}${prerelease}${build}`;
  });

const version = fuzzTarget({
  name: 'version',
  input: fc.tuple(editedText(versionText, { least: 0, most: 2 }), fc.oneof(versionText, anyText)),
  judge([left, right]: [string, string]) {
    const plain = [left, right].map((text) => {
      const parts = plainVersion(text);
      strictEqual(isVersion(text), parts !== undefined, `${JSON.stringify(text)} is judged otherwise by semver.org`);
      const parsed = refusedOr(['INVALID_VERSION'], () => parseVersion(text));
      if (parsed !== undefined) strictEqual(isVersion(parsed), true, 'what was read is no version');
      if (parts !== undefined) strictEqual(parsed, text, 'a version is read as another');
      return parts;
    });
    const [first, second] = plain;
    if (first === undefined || second === undefined) return false;
    strictEqual(Math.sign(compareVersions(left, right)), Math.sign(comparePlain(first, second)), 'the order differs');
    return true;
  },
  sample: 1_000,
});

const comparator: fc.Arbitrary<PlainRange> = fc
  .record({
    operator: fc.constantFrom('>=', '>', '<=', '<', '=', '^', '~'),
    version: versionText.filter((text) => !/\d{10}/u.test(text)),
  })
  // To npm's ranges this is `*`, next to which no other alternative counts, with the pre-releases that it lets in.
  .filter((made) => made.operator !== '>=' || !/^0\.0\.0(?:\+|$)/u.test(made.version));

const versionRange = fuzzTarget({
  name: 'version-range',
  input: fc.record({
    sets: fc.array(fc.array(comparator, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }),
    versions: fc.array(versionText, { minLength: 1, maxLength: 6 }),
  }),
  judge({ sets, versions }) {
    const range = sets.map((set) => set.map(({ operator, version: of }) => operator + of).join(' ')).join(' || ');
    if (range.length > 256) return false;
    strictEqual(isVersionRange(range), true, `${range} is no range`);
    const inside = versions.filter((text) => sets.some((set) => liesInAll(text, set)));
    for (const text of versions) {
      strictEqual(satisfiesRange(text, range), inside.includes(text), `${text} in ${range}`);
    }
    const newest = newestInRange(versions, range);
    strictEqual(newest !== undefined, inside.length > 0, `the newest in ${range}`);
    for (const text of inside) strictEqual(compareVersions(newest ?? '', text) >= 0, true, `the newest in ${range}`);
    return inside.length > 0;
  },
  sample: 1_000,
});

const ranges = ['^1.2.0', '>=1 <2', '1.x || 2.x', '~1.2', '1.2.3 - 2.3.4', '*', 'latest', '>=1.0.0-rc.1'];

const rangeText = fuzzTarget({
  name: 'range-text',
  input: fc.tuple(editedText(fc.constantFrom(...ranges), { least: 0, most: 12 }), versionText),
  judge([range, text]: [string, string]) {
    const accepted = isVersionRange(range);
    strictEqual(satisfiesRange(text, range) && !accepted, false, 'a version lies in what is no range');
    strictEqual(isTagName(range) && accepted, false, 'it is a range and a tag');
    return accepted;
  },
  sample: 1_000,
});

const paths = ['pdf/SKILL.md', 'pdf/scripts/run.sh', 'pdf/é/日本.md', 'a/b/c/d', 'CON', 'pdf/.git/config', 'a/../b'];
const pathText = fc.oneof(editedText(fc.constantFrom(...paths), { least: 0, most: 4 }), anyText);

const path = fuzzTarget({
  name: 'path',
  input: pathText,
  judge(text: string) {
    if (judgePath(text) !== undefined) return false;
    strictEqual(posix.normalize(text), text, 'it has parts that mean nothing');
    for (const [flavour, root] of [
      [posix, '/root/pack'],
      [win32, 'C:\\root\\pack'],
    ] as const) {
      const place = flavour.resolve(root, text);
      strictEqual(flavour.isAbsolute(text), false, 'it is absolute');
      strictEqual(place.startsWith(root + flavour.sep), true, 'it leaves the pack');
      strictEqual(flavour.relative(root, place).replaceAll('\\', '/'), text, 'it is another file than it says');
    }
    strictEqual(foldPath(foldPath(text)), foldPath(text), 'it is folded otherwise the second time');
    strictEqual(Buffer.from(text).toString(), text, 'it is no Unicode');
    return true;
  },
  sample: 1_000,
});

const pathTree = fuzzTarget({
  name: 'path-tree',
  input: fc.array(
    fc.oneof(
      fc.array(fc.constantFrom('a', 'A', 'é', 'e\u0301', 'ﬁ', 'fi', 'ß', 'SS', 'b'), { minLength: 1, maxLength: 3 }),
      pathText.map((text) => text.split('/')),
    ),
    { maxLength: 8 },
  ),
  judge(list: string[][]) {
    const fine = list.map((parts) => parts.join('/')).filter((text) => judgePath(text) === undefined);
    const tree = new PathTree();
    const conflict = fine.map((text) => tree.add(text, 'file')).find((found) => found !== undefined);
    // Two pieces of code find conflicts: of the entries of an archive, and of the files of a manifest.
    strictEqual(conflict !== undefined, findPathConflict(fine) !== undefined, 'the two judges of conflicts differ');
    return conflict === undefined;
  },
  sample: 1_000,
});

/** What people type, and what names files and versions. */
export const textTargets: readonly FuzzTarget[] = [
  packName,
  packSpec,
  version,
  versionRange,
  rangeText,
  path,
  pathTree,
];
