import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { sha256 } from '../../test/sha256.js';
import { formatManifest, manifestSchema, parseManifest, type PackManifest } from './manifest.js';
import type { PackFile } from './pack-file.js';
import { treeDigestOf } from '../digest/tree-digest.js';

const text = readFileSync(new URL('../../test/fixtures/formats/manifest.json', import.meta.url), 'utf8');
const honest = parseManifest(text, sha256);

/** The text of the manifest with other fields, and with a tree digest that fits unless one is given. */
function lie(change: Record<string, unknown> & { readonly files?: readonly PackFile[] }): string {
  const files = change.files ?? honest.files;
  return JSON.stringify({ formatVersion: 1, ...honest, treeDigest: treeDigestOf(files, sha256), ...change });
}

function file(path: string): PackFile {
  return { path, size: 1, digest: sha256(path), executable: false };
}

const problem = (json: string) => caught(() => parseManifest(json, sha256));

test('PSA-34: an honest manifest is read, and unknown fields are ignored', () => {
  expect(parseManifest(lie({ future: { a: 1 } }), sha256)).toEqual(honest);
  expect(honest).not.toHaveProperty('formatVersion');
});

test.each<readonly [string, Record<string, unknown>, string]>([
  ['another tree digest', { treeDigest: sha256('other') }, 'tree digest'],
  ['a path that leads out', { files: [file('../x'), file('hello/SKILL.md')] }, 'path-traversal'],
  ['a device of Windows', { files: [file('hello/SKILL.md'), file('hello/aux.md')] }, 'path-windows-reserved'],
  ['files out of order', { files: [file('hello/b'), file('hello/SKILL.md')] }, 'byte order'],
  ['a file twice', { files: [file('hello/SKILL.md'), file('hello/SKILL.md')] }, 'duplicate-path'],
  ['a collision', { files: [file('hello/A'), file('hello/SKILL.md'), file('hello/a')] }, 'case-collision'],
  ['a folder collision', { files: [file('hello/D/a'), file('hello/SKILL.md'), file('hello/d/b')] }, 'case-collision'],
  ['a file as folder', { files: [file('hello/SKILL.md'), file('hello/a'), file('hello/a/b')] }, 'file-as-folder'],
  ['a file of no skill', { files: [file('hello/SKILL.md'), file('other/x')] }, 'belongs to no skill'],
  ['a file at the root', { files: [file('README.md'), file('hello/SKILL.md')] }, 'belongs to no skill'],
  ['itself', { files: [file('hello/SKILL.md'), file('manifest.json')] }, 'belongs to no skill'],
  ['a skill without SKILL.md', { files: [file('hello/skill.md')] }, 'lists no hello/SKILL.md'],
  ['a skill twice', { skills: [honest.skills[0], honest.skills[0]] }, 'twice'],
  ['a skill elsewhere', { skills: [{ name: 'hallo', path: 'hello', description: '' }] }, 'both must be the same'],
  ['a nested skill', { skills: [{ name: 'a', path: 'hello/a', description: '' }] }, 'skills.0.path'],
  ['a hidden skill', { skills: [{ name: '.skillpack', path: '.skillpack', description: '' }] }, 'skills.0.name'],
  ['a skill called ..', { skills: [{ name: '..', path: '..', description: '' }] }, 'skills.0.name'],
  ['a skill that no system can hold', { skills: [{ name: 'con', path: 'con', description: '' }] }, 'skills.0.name'],
  ['no skill', { skills: [] }, 'skills'],
  ['no file', { files: [] }, 'files'],
  ['a negative size', { files: [{ ...file('hello/SKILL.md'), size: -1 }] }, 'files.0.size'],
  ['half a byte', { files: [{ ...file('hello/SKILL.md'), size: 0.5 }] }, 'files.0.size'],
  ['a size beyond all numbers', { files: [{ ...file('hello/SKILL.md'), size: 2 ** 60 }] }, 'files.0.size'],
  // Only the first file is looked at by the schema where all of them look right.
  [
    'half a byte in another file',
    { files: [file('hello/SKILL.md'), { ...file('hello/a'), size: 1.5 }] },
    'files.1.size',
  ],
  [
    'a size below none elsewhere',
    { files: [file('hello/SKILL.md'), { ...file('hello/a'), size: -1 }] },
    'files.1.size',
  ],
  ['a size that is a text', { files: [file('hello/SKILL.md'), { ...file('hello/a'), size: '1' }] }, 'files.1.size'],
  ['a digest that is none', { files: [file('hello/SKILL.md'), { ...file('hello/a'), digest: 'x' }] }, 'files.1.digest'],
  ['a path that is none', { files: [file('hello/SKILL.md'), { ...file('hello/a'), path: 7 }] }, 'files.1.path'],
  [
    'a mode that is none',
    { files: [file('hello/SKILL.md'), { ...file('hello/a'), executable: 1 }] },
    'files.1.executable',
  ],
  ['a digest in upper case', { treeDigest: `sha256:${'A'.repeat(64)}` }, 'expected a digest'],
  ['a digest of another kind', { treeDigest: `sha512:${'a'.repeat(64)}` }, 'expected a digest'],
  ['a bad name', { name: 'Hello' }, 'expected a pack name'],
  ['a bad version', { version: 'v1' }, 'expected a version'],
  ['a dependency on nobody', { dependencies: { constructor: '^1' } }, 'dependencies.constructor'],
  ['a dependency on a tag', { dependencies: { 'org/a': 'latest' } }, 'dependencies.org/a'],
])('PSA-34: a manifest with %s is refused', (_, change, message) => {
  const error = problem(lie(change));
  expect(error.code).toBe('INVALID_MANIFEST');
  expect(error.message).toContain(message);
});

test('5,000 files are read, 5,001 are refused', () => {
  const many = (count: number) =>
    Array.from({ length: count - 1 }, (_, index) => file(`hello/${String(index).padStart(5, '0')}`));
  const files = (count: number) => [...many(count), file('hello/SKILL.md')];
  expect(parseManifest(lie({ files: files(5_000) }), sha256).files).toHaveLength(5_000);
  expect(problem(lie({ files: files(5_001) })).message).toContain('at most 5000');
});

test('an unknown formatVersion is told apart from a bad manifest', () => {
  expect(problem(lie({}).replace('"formatVersion":1', '"formatVersion":2')).code).toBe('UNSUPPORTED_FORMAT');
});

test('written again, it is the same, whatever the order of its files', () => {
  const shuffled: PackManifest = { ...honest, files: honest.files.toReversed() };
  expect(formatManifest(shuffled)).toBe(text);
});

test('a manifest that was written is read as it was', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/u), { minLength: 1, maxLength: 4 });
  const extras = fc.uniqueArray(fc.stringMatching(/^[b-y0-9]{1,5}$/u), { maxLength: 3 });
  fc.assert(
    fc.property(names, extras, fc.string(), (skills, others, description) => {
      const usable = skills.filter((name) => !['con', 'prn', 'aux', 'nul'].includes(name));
      fc.pre(usable.length > 0);
      const paths = usable.flatMap((name) => [`${name}/SKILL.md`, ...others.map((other) => `${name}/x${other}`)]);
      const files = paths.toSorted().map(file);
      const manifest: PackManifest = {
        ...honest,
        description,
        skills: usable.map((name) => ({ name, path: name, description })),
        files,
        treeDigest: treeDigestOf(files, sha256),
      };
      expect(parseManifest(formatManifest(manifest), sha256)).toEqual(manifest);
    }),
  );
});

const anyField = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(null, true, 0, -0, -1, 0.5, 2 ** 53, '', 'a'.repeat(1025), `sha256:${'A'.repeat(64)}`, [], {}),
);

test('files are read as the schema reads them, whatever their fields are', () => {
  const strange = fc.record({ path: anyField, size: anyField, digest: anyField, executable: anyField, more: anyField });
  const one = fc.record(
    { path: fc.constant('hello/a'), size: fc.nat(), digest: fc.constant(sha256('a')), executable: fc.boolean() },
    { noNullPrototype: true },
  );
  const entry = fc
    .tuple(one, strange, fc.subarray(['path', 'size', 'digest', 'executable', 'more'] as const))
    .map(([fine, odd, keys]) => ({ ...fine, ...Object.fromEntries(keys.map((key) => [key, odd[key]])) }));
  let accepted = 0;
  fc.assert(
    fc.property(entry, (other) => {
      const first = file('hello/SKILL.md');
      const json = JSON.stringify({ formatVersion: 1, ...honest, files: [first, other] });
      const read = manifestSchema.safeParse(JSON.parse(json));
      const message = caught(() => parseManifest(json, sha256))?.message ?? '';
      const byField = message.startsWith('manifest.json is not valid at files');
      expect(byField).toBe(!read.success);
      if (read.success) accepted += 1;
    }),
  );
  expect(accepted).toBeGreaterThan(0);
});
