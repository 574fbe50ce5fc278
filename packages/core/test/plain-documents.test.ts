import { readFileSync } from 'node:fs';
import type * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { SkillsError } from '../src/errors/skills-error.js';
import { readDocument } from '../src/json/json-document.js';
import { lockFileSchema, parseLockFile } from '../src/pack/lock-file.js';
import { manifestSchema, parseManifest } from '../src/pack/manifest.js';
import { packHeadSchema, parsePackDocument, versionRecordSchema } from '../src/pack/pack-document.js';
import { parsePackName } from '../src/pack/pack-name.js';
import { sha256 } from './sha256.js';

// Documents of which every field is right at first sight are read without their schema. Whatever is changed in one, what
// is read has to be what the schema reads.

type Fields = Readonly<Record<string, unknown>>;

const digest = sha256('x');
const fixture = (name: string): string =>
  readFileSync(new URL(`fixtures/formats/${name}`, import.meta.url), 'utf8').trim();
const manifest = {
  ...(JSON.parse(fixture('manifest.json')) as Fields),
  dependencies: {},
  requires: {},
  keywords: ['a'],
};
const head: Fields = {
  formatVersion: 1,
  name: 'example/hello',
  description: 'Says hello.',
  license: 'MIT',
  tags: { latest: '1.2.0' },
  deprecated: null,
};
const version: Fields = {
  version: '1.2.0',
  published: '2026-11-22T04:00:00.000Z',
  archives: [{ format: 'tgz', digest, size: 7 }],
  treeDigest: digest,
  manifest: digest,
  skills: ['hello'],
  dependencies: {},
  requires: {},
  yanked: null,
  signatures: [],
};
const entry = {
  version: '1.2.0',
  range: '^1',
  treeDigest: digest,
  skills: ['hello'],
  dependencies: {},
  source: 'registry',
  registry: 'https://packs.example/',
  integrity: digest,
};
const lock: Fields = {
  formatVersion: 1,
  packs: { 'example/hello': entry, 'example/other': { ...entry, range: undefined } },
};

const formats: readonly {
  readonly name: string;
  readonly honest: Fields;
  readonly schema: z.ZodMiniType;
  readonly parse: (json: string) => unknown;
}[] = [
  { name: 'lock file', honest: lock, schema: lockFileSchema, parse: (json) => parseLockFile(json, 'it') },
  {
    name: 'head of an index document',
    honest: head,
    schema: packHeadSchema,
    parse: (json) => parsePackDocument(json, parsePackName('example/hello')).head,
  },
  {
    name: 'version of an index document',
    honest: version,
    schema: versionRecordSchema,
    parse: (json) => parsePackDocument(`${JSON.stringify(head)}\n${json}`, parsePackName('example/hello')).versions[0],
  },
  { name: 'manifest', honest: manifest, schema: manifestSchema, parse: (json) => parseManifest(json, sha256) },
];

const tooMany = Array.from({ length: 1001 }, () => 'a');
const numbers = [0, -1, 1, 2, 1.5, 2 ** 53];
const versions = [
  '1',
  'v1',
  '1.0',
  '1.0.0',
  '01.0.0',
  '1.00.0',
  '1.0.00',
  '1.0.0-rc.1',
  '1.0.0-01',
  '1.0.0+b',
  '9007199254740992.0.0',
  '1.9007199254740992.0',
  '1.0.9007199254740992',
];
const names = ['', 'a', 'a'.repeat(65), 'con', '..', '.a', 'a/b', 'a/con', 'zip', 'url', 'latest'];
const texts = ['x'.repeat(257), 'x'.repeat(1025), 'x'.repeat(2049), digest, `sha256:${'A'.repeat(64)}`];
const times = ['2026-02-31T00:00:00Z', '2026-22-31T00:00:00Z', '2026-11-22'];
const lists = [
  [],
  [''],
  ['a', 'a'],
  ['con'],
  [7],
  ['a'.repeat(65)],
  tooMany,
  tooMany.slice(0, 51),
  tooMany.slice(0, 9),
];
const records: readonly Fields[] = [
  {},
  { a: '1' },
  { 'org/a': '^1' },
  { 'org/a': 'x y' },
  { bins: [7] },
  { constructor: '1.0.0' },
];
const tags: readonly Fields[] = [
  { latest: '1.0.0' },
  { latest: 'v1' },
  { latest: '1.0.0', beta: '1.0.0' },
  { Beta: '1.0.0' },
];
/** What any field may be in the hands of somebody else; `undefined` leaves it out. */
const odd: readonly unknown[] = [
  undefined,
  null,
  true,
  ...numbers,
  ...versions,
  ...names,
  ...texts,
  ...times,
  ...lists,
  ...records,
  ...tags,
];

/** The value with each odd value at each of its places, and in a field that it does not have. */
function changesOf(value: unknown): unknown[] {
  const here = [...odd];
  if (typeof value !== 'object' || value === null) return here;
  const keys = [...Object.keys(value), ...(Array.isArray(value) ? [] : ['formatVersion', 'future'])];
  const inside = keys.flatMap((key) =>
    changesOf((value as Fields)[key]).map((to) =>
      Array.isArray(value) ? value.with(Number(key), to) : { ...value, [key]: to },
    ),
  );
  return [...here, ...inside];
}

/** A value with its prototypes, and with the fields that are `undefined`: `toEqual` sees neither. */
function wholly(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wholly);
  const fields = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return {
    bare: Object.getPrototypeOf(value) === null,
    fields: fields.map(([key, inner]: [string, unknown]) => [key, wholly(inner)]),
  };
}

function outcome(read: () => unknown): { readonly value: unknown } | { readonly refused: string } {
  try {
    return { value: wholly(read()) };
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return { refused: error.message.slice(error.message.indexOf(' at ')) };
  }
}

test.each(formats)('a $name is read as its schema reads it, whatever is changed in it', ({ honest, schema, parse }) => {
  const bySchema = (json: string) => {
    const { formatVersion: _, ...fields } = readDocument(json, schema, {
      what: 'it',
      code: 'INVALID_LOCK',
      maxLength: 1e7,
    }) as Fields;
    return fields;
  };
  expect(outcome(() => parse(JSON.stringify(honest)))).toStrictEqual(outcome(() => bySchema(JSON.stringify(honest))));
  const read = new Set<boolean>();
  for (const change of changesOf(honest).filter((value) => value !== undefined)) {
    const json = JSON.stringify(change);
    const found = outcome(() => parse(json));
    const expected = outcome(() => bySchema(json));
    // What the schema allows may be refused for another reason.
    if ('refused' in expected || 'value' in found) expect(found, json.slice(0, 3000)).toEqual(expected);
    read.add('value' in found);
  }
  expect(read).toEqual(new Set([true, false]));
});
