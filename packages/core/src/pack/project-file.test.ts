import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { parseProjectFile, withProjectPacks } from './project-file.js';

test('fields are read, and unknown ones are kept', () => {
  const json = '{"name":"org/pdf","packs":{"org/a":"^1"},"registries":{"default":"https://host/"},"x":{"y":[1]}}';
  expect(parseProjectFile(json)).toEqual({
    name: 'org/pdf',
    packs: { 'org/a': '^1' },
    registries: { default: 'https://host/' },
    x: { y: [1] },
  });
  expect(parseProjectFile('{}')).toEqual({});
});

test('an organisation named like something that every object has, has no registry', () => {
  const { registries } = parseProjectFile('{"registries":{}}');
  expect(registries?.['constructor']).toBeUndefined();
});

test.each([
  ['{"packs":{"pdf":"^1"}}', 'at packs.pdf: expected a pack name (org/name), found “pdf”'],
  ['{"packs":{"org/pdf":1}}', 'at packs.org/pdf: expected a text, found 1'],
  ['{"packs":[]}', 'at packs: expected an object, found a list of 0 items'],
  ['{"version":"1"}', 'at version: expected a version'],
  ['{"dependencies":{"org/a":"latest"}}', 'at dependencies.org/a: expected a version range, found “latest”'],
  ['{"skills":"pdf"}', 'at skills: expected a list, found “pdf”'],
  ['[]', 'expected an object'],
  ['// comment\n{}', 'is not JSON'],
])('%s is refused', (json, message) => {
  const error = caught(() => parseProjectFile(json, '/p/skillpack.json'));
  expect(error.code).toBe('INVALID_PROJECT');
  expect(error.message).toContain('/p/skillpack.json is not');
  expect(error.message).toContain(message);
});

test.each(['<<<<<<< HEAD', '||||||| 1f2e3d4', '=======', '>>>>>>> branch'])(
  'the line of a merge is told by its number: %s',
  (marker) => {
    const error = caught(() => parseProjectFile(`{\r\n  "packs": {\r\n${marker}\r\n  }\r\n}\r\n`, '/p/skillpack.json'));
    expect([error.code, error.message, error.data]).toEqual([
      'INVALID_PROJECT',
      '/p/skillpack.json holds a merge-conflict marker in line 3.',
      { path: '/p/skillpack.json', line: 3 },
    ]);
    expect(error.hint).toContain('remove the lines with the markers');
  },
);

test('a newer formatVersion is told apart', () => {
  expect(caught(() => parseProjectFile('{"formatVersion":2}')).code).toBe('UNSUPPORTED_FORMAT');
});

test('a new file has sorted packs and a formatVersion', () => {
  expect(withProjectPacks(undefined, { 'org/b': '1', 'org/a': '^1' })).toBe(
    '{\n  "formatVersion": 1,\n  "packs": {\n    "org/a": "^1",\n    "org/b": "1"\n  }\n}\n',
  );
});

const written = `{
    "targets": ["claude-code"],
    "packs": { "org/z": "1" },
    "$schema": "./skillpack.schema.json",
    "__proto__": { "kept": true },
    "name": "org/pdf"
}`;
const rewritten = `{
    "targets": [
        "claude-code"
    ],
    "packs": {
        "org/a": "^1",
        "org/z": "1"
    },
    "$schema": "./skillpack.schema.json",
    "__proto__": {
        "kept": true
    },
    "name": "org/pdf"
}
`;
const packs = { 'org/z': '1', 'org/a': '^1' };

test('order of fields, unknown fields and indentation stay as the person wrote them', () => {
  expect(withProjectPacks(written, packs)).toBe(rewritten);
  expect(withProjectPacks(rewritten, packs)).toBe(rewritten);
  expect(withProjectPacks('{\n\t"name": "org/pdf"\n}\n', {})).toBe('{\n\t"name": "org/pdf",\n\t"packs": {}\n}\n');
  expect(withProjectPacks('{\n   \n  "name": "org/pdf"}', {})).toBe('{\n  "name": "org/pdf",\n  "packs": {}\n}\n');
  expect(withProjectPacks('{}', {})).toBe('{\n  "packs": {}\n}\n');
});

test('line ends and a byte order mark stay', () => {
  expect(withProjectPacks(`\uFEFF${written.replaceAll('\n', '\r\n')}`, packs)).toBe(
    `\uFEFF${rewritten.replaceAll('\n', '\r\n')}`,
  );
});

test('a file that cannot be read is not rewritten', () => {
  expect(caught(() => withProjectPacks('{', {})).code).toBe('INVALID_PROJECT');
  expect(caught(() => withProjectPacks('{"packs":3}', {})).code).toBe('INVALID_PROJECT');
});
