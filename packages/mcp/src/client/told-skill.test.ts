import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { checkTold, isShallow } from './told-skill.js';

const place = { origin: 'docs', scope: 'other', sha256 } as const;
const digest = `sha256:${'0'.repeat(64)}`;

const entry = {
  uri: 'skill://acme/pdf/SKILL.md',
  frontmatter: { name: 'pdf', description: 'Reads PDF files.', metadata: { topic: 'x' } },
  resources: [
    { uri: 'skill://acme/pdf/SKILL.md', digest, size: 7 },
    { uri: 'skill://acme/pdf/a%20b/%C3%BC.md', digest, size: 0 },
  ],
};

test('an entry becomes a skill with a name and a location of its origin, and paths that stand for nothing else', () => {
  const told = checkTold(entry, place);
  expect(told).toMatchObject({
    kind: 'told',
    entry: { name: 'docs/acme/pdf', location: 'mcp://docs/acme/pdf', scope: 'other' },
  });
  expect(told.kind === 'told' && [...told.files.keys()]).toEqual(['SKILL.md', 'a b/\u00FC.md']);
  const other = checkTold(JSON.parse(JSON.stringify(entry).replaceAll('skill://', 'github://')), place);
  expect(other).toMatchObject({ entry: { name: 'docs/acme/pdf', location: 'mcp+github://docs/acme/pdf' } });
});

const of = (folder: string, over: object = {}): object => {
  const uri = `skill://${folder}/SKILL.md`;
  const name = decodeURIComponent(folder.slice(folder.lastIndexOf('/') + 1));
  return { uri, frontmatter: { name, description: 'x' }, resources: [{ uri, digest, size: 7 }], ...over };
};
const beside = (uri: string): object => ({
  resources: [
    { uri: 'skill://pdf/SKILL.md', digest, size: 7 },
    { uri, digest, size: 1 },
  ],
});

test.each([
  ['a name of 201 characters', of(`${'x'.repeat(192)}/pdf`), 'its name is longer than 200 characters'],
  ['an address of 2049 characters', of(`${'%61'.repeat(677)}/a/b/pdf`), 'its address is not'],
  ['a name with a slash in it', of('a%2Fb'), 'its address is not'],
  ['a name with a space around it', of('%20pdf'), 'its address is not'],
  ['an address without an authority', of('pdf', { uri: 'skill:/pdf/SKILL.md' }), 'its address is not'],
  [
    'front matter of 64 KiB and more',
    of('pdf', { frontmatter: { name: 'pdf', description: 'x', notes: 'x'.repeat(65_536) } }),
    'its front matter is too long',
  ],
  ['a file with a query', of('pdf', beside('skill://pdf/a?b')), 'does not lie in its folder'],
  ['a file without a name', of('pdf', beside('skill://pdf/a//b')), 'does not lie in its folder'],
  ['a file with a NUL in its name', of('pdf', beside('skill://pdf/a%00b')), 'does not lie in its folder'],
  ['a file with a long address', of('pdf', beside(`skill://pdf/${'a'.repeat(2_048)}`)), 'does not lie in its folder'],
])('%s is refused', (_, value, reason) => {
  expect(checkTold(value, place)).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) });
});

test('the longest name and address are taken', () => {
  expect(checkTold(of(`${'x'.repeat(191)}/pdf`), place)).toMatchObject({ kind: 'told' });
});

test('whatever an entry is, it is refused or is a skill of its origin whose files lie in it', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      'pdf',
      'SKILL.md',
      '%2e%2e',
      '%2f',
      '%00',
      '%5c',
      '\\',
      'a b',
      '\u202E',
      '%',
      '@',
      ':80',
      '?',
      '#',
      '\u00E9',
      '%c3%a9',
      'skill:',
      'file:',
      '//',
    ),
    fc.string({ maxLength: 4 }),
  );
  const address = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map((pieces) => `skill://${pieces.join('/')}`),
    fc.array(piece, { maxLength: 6 }).map((pieces) => `skill://acme/pdf/${pieces.join('/')}`),
    fc.constant('skill://acme/pdf/SKILL.md'),
    fc.string(),
  );
  const file = fc.record({ uri: address, digest: fc.constant(digest), size: fc.nat(100) });
  const made = fc.record(
    {
      uri: address,
      frontmatter: fc.oneof(fc.constant(entry.frontmatter), fc.dictionary(fc.string(), fc.jsonValue())),
      resources: fc.array(fc.oneof(file, fc.constant(entry.resources[0])), { maxLength: 4 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(made, fc.jsonValue()), (value) => {
      const told = checkTold(value, place);
      if (told.kind === 'refused') return;
      expect(told.entry.name).toMatch(/^docs\/[^\\]+$/u);
      expect(told.entry.name.split('/')).not.toContain('..');
      expect(new URL(told.entry.location).host).toBe('docs');
      for (const path of told.files.keys()) {
        expect(path.split('/').some((one) => one === '' || one === '.' || one === '..' || one.includes('\0'))).toBe(
          false,
        );
      }
    }),
    { numRuns: 2_000 },
  );
});

test('32 levels are shallow, 33 are not, and no depth is too much to tell', () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  };
  expect([32, 33, 200_000].map((levels) => isShallow(nested(levels)))).toEqual([true, false, false]);
});
