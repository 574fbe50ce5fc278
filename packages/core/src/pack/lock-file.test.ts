import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { sha256 } from '../../test/sha256.js';
import { parsePackName } from './pack-name.js';
import { emptyLockFile, formatLockFile, parseLockFile, type LockEntry, type LockFile } from './lock-file.js';

const content = { version: '1.2.0', treeDigest: sha256('tree'), skills: ['pdf'], dependencies: {} } as const;
const entry: LockEntry = {
  ...content,
  source: 'registry',
  registry: 'https://skills.example.org/',
  integrity: sha256('archive'),
};

const lockWith = (change: object) =>
  JSON.stringify({ formatVersion: 1, packs: { 'org/pdf': { ...entry, ...change } } });

test('an empty lock file', () => {
  expect(formatLockFile(emptyLockFile)).toBe('{\n  "formatVersion": 1,\n  "packs": {}\n}\n');
  expect(parseLockFile(formatLockFile(emptyLockFile))).toEqual(emptyLockFile);
});

test('CRLF, a byte order mark and unknown fields are read', () => {
  const text = formatLockFile({ packs: { [parsePackName('org/pdf')]: entry } }).replaceAll('\n', '\r\n');
  expect(parseLockFile(`\uFEFF${text}`)).toEqual({ packs: { 'org/pdf': entry } });
  expect(parseLockFile(lockWith({ future: [1] }))).toEqual({ packs: { 'org/pdf': entry } });
});

test.each([
  ['<<<<<<< HEAD', 2],
  ['||||||| merged common ancestors', 2],
  ['||||||| 1a2b3c4', 2],
  ['=======', 2],
  ['>>>>>>> branch', 2],
])('the marker %s is found, with either line end', (marker, line) => {
  for (const end of ['\n', '\r\n']) {
    const error = caught(() => parseLockFile(['{', marker, '}'].join(end), '/project/skillpack-lock.json'));
    expect(error).toMatchObject({ code: 'LOCK_CONFLICT', data: { path: '/project/skillpack-lock.json', line } });
    expect(error.message).toContain('line 2');
  }
});

test('a marker in line 1 and in the last line', () => {
  expect(caught(() => parseLockFile('<<<<<<< HEAD\n{}')).data).toMatchObject({ line: 1 });
  expect(caught(() => parseLockFile('{}\n>>>>>>>')).data).toMatchObject({ line: 2 });
});

test('what looks like a marker inside a text is none', () => {
  expect(parseLockFile(lockWith({ range: '======= <<<<<<< ' })).packs).toHaveProperty(
    ['org/pdf', 'range'],
    '======= <<<<<<< ',
  );
});

test.each([
  ['not JSON', '{'],
  ['no packs', '{"formatVersion":1}'],
  ['no formatVersion', '{"packs":{}}'],
  ['a list', '[]'],
  ['a bad name', '{"formatVersion":1,"packs":{"Org/pdf":{}}}'],
  ['a name that every object has', '{"formatVersion":1,"packs":{"constructor":{}}}'],
  ['an unknown source', lockWith({ source: 'git' })],
  ['no source', lockWith({ source: undefined })],
  ['an archive without digest', lockWith({ integrity: undefined })],
  ['no tree digest', lockWith({ treeDigest: undefined })],
  ['a range as version', lockWith({ version: '^1' })],
  ['a skill that leads out', lockWith({ skills: ['../../x'] })],
  ['a folder without path', lockWith({ source: 'folder' })],
])('a lock file with %s is refused', (_, text) => {
  const error = caught(() => parseLockFile(text, 'it'));
  expect(error.code).toBe('INVALID_LOCK');
  expect(error.message).toMatch(/^it is not /u);
});

test('an unknown source says which are known', () => {
  const { message } = caught(() => parseLockFile(lockWith({ source: 'git' })));
  expect(message).toContain('at packs.org/pdf.source: expected registry or url or file or folder');
});

test('a newer lock file asks for an update instead of being rewritten', () => {
  expect(caught(() => parseLockFile('{"formatVersion":2,"packs":{}}')).code).toBe('UNSUPPORTED_FORMAT');
});

test('a key named __proto__ changes nothing', () => {
  const text = `{"formatVersion":1,"packs":{"__proto__":{"org/pdf":1}},"__proto__":{"packs":{}}}`;
  expect(Object.keys(parseLockFile(text).packs)).toEqual([]);
});

test('no credentials are written', () => {
  const secret = { ...content, integrity: sha256('archive') };
  const packs: Readonly<Record<string, LockEntry>> = {
    'org/a': { ...secret, source: 'registry', registry: 'https://me:secret@host/' },
    'org/b': {
      ...secret,
      source: 'url',
      url: 'https://me:secret@host/b.tgz?token=secret',
      range: 'https://me:secret@host/b.tgz?token=secret',
    },
  };
  const text = formatLockFile({ packs });
  expect(text).not.toMatch(/me:|secret|token/u);
  expect(parseLockFile(text).packs).toMatchObject({
    'org/a': { registry: 'https://host/' },
    'org/b': { url: 'https://host/b.tgz', range: 'https://host/b.tgz' },
  });
});

const digest = fc.string().map(sha256);
const locked = fc.record({
  version: fc.constantFrom('1.0.0', '2.1.0-rc.1', '0.0.1+b'),
  range: fc.option(fc.string({ maxLength: 20 }), { nil: undefined }),
  treeDigest: digest,
  skills: fc.array(fc.constantFrom('pdf', 'a b', '数据'), { maxLength: 3 }),
  dependencies: fc.dictionary(fc.constantFrom('org/a', 'org/b'), fc.constantFrom('^1', '*', '>=1 <3'), {
    noNullPrototype: true,
  }),
});
const source = fc.oneof(
  fc.record({ source: fc.constant('registry' as const), registry: fc.webUrl(), integrity: digest }),
  fc.record({ source: fc.constant('url' as const), url: fc.webUrl(), integrity: digest }),
  fc.record({ source: fc.constant('file' as const), path: fc.string(), integrity: digest }),
  fc.record({ source: fc.constant('folder' as const), path: fc.string() }),
);
const lockEntry: fc.Arbitrary<LockEntry> = fc.tuple(locked, source).map(([one, other]) => ({ ...one, ...other }));
const packName = fc.stringMatching(/^[b-f]{1,4}\/[b-f0-9]{1,4}$/u);

test('a lock file that was written is read as it was; same packs, same bytes', () => {
  fc.assert(
    fc.property(fc.dictionary(packName, lockEntry, { noNullPrototype: true }), (packs) => {
      const text = formatLockFile({ packs });
      const again: LockFile = parseLockFile(text);
      expect(again).toEqual({ packs });
      expect(formatLockFile(again)).toBe(text);
      expect(formatLockFile({ packs: Object.fromEntries(Object.entries(packs).toReversed()) })).toBe(text);
      expect(text).not.toContain('\r');
      expect(text.endsWith('}\n')).toBe(true);
    }),
  );
});
