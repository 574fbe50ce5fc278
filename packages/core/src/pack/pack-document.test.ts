import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { sha256 } from '../../test/sha256.js';
import { formatPackDocument, formatVersionRecord, parsePackDocument, parseVersionRecord } from './pack-document.js';
import { parsePackName } from './pack-name.js';

const text = readFileSync(new URL('../../test/fixtures/formats/pack.ndjson', import.meta.url), 'utf8');
const name = parsePackName('example/hello');
const [head = '', older = '', newer = ''] = text.split('\n');
const problem = (ndjson: string) => caught(() => parsePackDocument(ndjson, name));
const headWith = (change: object) => JSON.stringify({ ...(JSON.parse(head) as object), ...change });
const versionWith = (change: object) => JSON.stringify({ ...(JSON.parse(newer) as object), ...change });

test('head and versions are read, in their order', () => {
  const document = parsePackDocument(text, name);
  expect(document.head).toEqual({
    name: 'example/hello',
    description: 'Says hello – in 中文 too.',
    license: 'Apache-2.0',
    tags: { beta: '1.0.0-rc.1', latest: '1.2.0' },
    deprecated: null,
  });
  expect(document.versions.map(({ version, yanked }) => [version, yanked])).toEqual([
    ['1.0.0-rc.1', 'Greets nobody.'],
    ['1.2.0', null],
  ]);
});

test('blank lines, CRLF, a byte order mark and unknown fields do no harm', () => {
  const odd = `\uFEFF${headWith({ future: 1 })}\r\n\r\n${older}\r\n\n${versionWith({ future: {} })}`;
  expect(parsePackDocument(odd, name)).toEqual(parsePackDocument(text, name));
});

test('what is left out has a default', () => {
  const bare = '{"formatVersion":1,"name":"example/hello","description":""}';
  expect(parsePackDocument(bare, name)).toEqual({
    head: { name, description: '', tags: {}, deprecated: null },
    versions: [],
  });
  const record = parseVersionRecord(
    versionWith({ dependencies: undefined, requires: undefined, yanked: undefined, signatures: undefined }),
    'it',
  );
  expect(record).toMatchObject({ dependencies: {}, requires: {}, yanked: null, signatures: [] });
});

test('a tag named like something that every object has is not found', () => {
  expect(parsePackDocument(head, name).head.tags['constructor']).toBeUndefined();
  expect(parsePackDocument(headWith({ tags: {} }), name).head.tags['constructor']).toBeUndefined();
  const bare = headWith({ tags: undefined });
  expect(parsePackDocument(bare, name).head.tags['constructor']).toBeUndefined();
});

test.each([
  ['an empty document', '', 'is empty'],
  ['blank lines alone', '\n \n', 'is empty'],
  ['another pack', head.replace('example/hello', 'example/other'), 'speaks of example/other'],
  ['a version twice', `${head}\n${newer}\n${newer}`, 'lists version 1.2.0 twice'],
  ['a bad line', `${head}\n\n${older}\n{"version":`, 'line 4, is not JSON'],
  ['a version as head', newer, 'line 1, is not valid at formatVersion'],
  ['a bad version', `${head}\n${versionWith({ version: '1.2' })}`, 'line 2, is not valid at version'],
  ['no archive', `${head}\n${versionWith({ archives: [] })}`, 'line 2, is not valid at archives'],
  ['a time that does not exist', `${head}\n${versionWith({ published: '2026-13-40T00:00:00Z' })}`, 'at published'],
  ['a local time', `${head}\n${versionWith({ published: '2026-11-21T00:00:00+01:00' })}`, 'at published'],
  ['no skill', `${head}\n${versionWith({ skills: [] })}`, 'at skills'],
  ['a skill that leads out', `${head}\n${versionWith({ skills: ['../x'] })}`, 'at skills.0'],
  [
    'an empty archive',
    `${head}\n${versionWith({ archives: [{ format: 'tgz', digest: sha256(''), size: 0 }] })}`,
    'size',
  ],
  [
    'an unknown container',
    `${head}\n${versionWith({ archives: [{ format: 'rar', digest: sha256(''), size: 1 }] })}`,
    'tgz or zip',
  ],
  ['a tag in upper case', headWith({ tags: { Latest: '1.2.0' } }), 'at tags.Latest'],
  ['a tag to a range', headWith({ tags: { latest: '^1' } }), 'at tags.latest'],
])('%s is refused', (_, ndjson, message) => {
  const error = problem(ndjson);
  expect(error.code).toBe('INVALID_INDEX');
  expect(error.message).toContain('example/hello');
  expect(error.message).toContain(message);
  expect(error.hint).toContain('registry build');
});

test('an unknown formatVersion, in the head or in a line, is told apart', () => {
  expect(problem(headWith({ formatVersion: 2 })).code).toBe('UNSUPPORTED_FORMAT');
  expect(problem(`${head}\n${versionWith({ formatVersion: 2 })}`).code).toBe('UNSUPPORTED_FORMAT');
});

test('a document beyond 16 MiB is refused before it is read', () => {
  expect(problem(`${head}\n${' '.repeat(16 * 1024 * 1024)}`).message).toContain('characters');
});

test('versions are appended: an older document is the beginning of a newer one, but for its head', () => {
  const document = parsePackDocument(text, name);
  const before = { ...document, versions: document.versions.slice(0, 1) };
  expect(formatPackDocument(document)).toBe(formatPackDocument(before) + newer + '\n');
  expect(document.versions.map(formatVersionRecord).join('')).toBe(`${older}\n${newer}\n`);
});
