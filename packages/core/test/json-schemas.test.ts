import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { jsonSchemas } from './json-schemas.js';

const schemas = new URL('../schemas/', import.meta.url);
const fixtures = new URL('fixtures/formats/', import.meta.url);

test.each([...jsonSchemas])('the published schema of %s is the one that is read with', async (name, schema) => {
  // After a change on purpose, `vitest run -u` writes the files anew.
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL(`${name}.schema.json`, schemas)),
  );
});

test('no other schema is published', () => {
  const published = readdirSync(schemas).toSorted();
  expect(published).toEqual([...jsonSchemas.keys()].map((name) => `${name}.schema.json`).toSorted());
});

test.each([...jsonSchemas.keys()])('the schema of %s is imported by the name of the package', (name) => {
  const path = createRequire(import.meta.url).resolve(`@skillpack/core/schemas/${name}.schema.json`);
  expect(path).toBe(fileURLToPath(new URL(`${name}.schema.json`, schemas)));
});

const documents: ReadonlyArray<readonly [schema: string, file: string, line: number | undefined]> = [
  ['lock', 'skillpack-lock.json', undefined],
  ['manifest', 'manifest.json', undefined],
  ['pack-head', 'pack.ndjson', 0],
  ['pack-version', 'pack.ndjson', 1],
  ['pack-version', 'pack.ndjson', 2],
  ['pack-version', 'version.json', undefined],
  ['project', 'skillpack.json', undefined],
  ['receipt', 'receipt.json', undefined],
  ['registry', 'registry.json', undefined],
  ['revocations', 'revocations.json', undefined],
  ['run', 'run.json', undefined],
  ['run-event', 'events.jsonl', 0],
  ['run-event', 'events.jsonl', 1],
  ['run-event', 'events.jsonl', 2],
  ['search-catalogue-head', 'search-catalogue.ndjson', 0],
  ['search-catalogue-pack', 'search-catalogue.ndjson', 1],
  ['search-pointer', 'search-latest.json', undefined],
];

test.each(documents)('the schema of %s accepts %s (line %s), and refuses it once spoilt', (name, file, line) => {
  const validate = new Ajv2020({ allErrors: true, strict: true }).compile(readSchema(name));
  const document = JSON.parse(textOf(file, line)) as Record<string, unknown>;
  const accepted = validate(document);
  expect([accepted, validate.errors]).toEqual([true, null]);
  expect(validate({ ...document, 'a field of the future': 1 })).toBe(true);
  for (const key of Object.keys(document).filter((present) => present !== 'x-note')) {
    expect(validate({ ...document, [key]: false }), key).toBe(false);
  }
});

test('digests, pack names, versions and tags carry their pattern', () => {
  const validate = new Ajv2020().compile(readSchema('pack-head'));
  const head = JSON.parse(textOf('pack.ndjson', 0)) as Record<string, unknown>;
  for (const name of ['Example/hello', 'example', 'example/aux', `example/${'x'.repeat(65)}`, 'example/hello\n']) {
    expect(validate({ ...head, name }), name).toBe(false);
  }
  expect(validate({ ...head, tags: { latest: '1.2' } })).toBe(false);
  expect(validate({ ...head, tags: { Latest: '1.2.0' } })).toBe(false);
  const revocations = new Ajv2020().compile(readSchema('revocations'));
  expect(revocations({ formatVersion: 1, revoked: [{ digest: `sha256:${'A'.repeat(64)}`, reason: '' }] })).toBe(false);
});

function readSchema(name: string): AnySchema {
  return JSON.parse(readFileSync(new URL(`${name}.schema.json`, schemas), 'utf8')) as AnySchema;
}

function textOf(file: string, line: number | undefined): string {
  const text = readFileSync(new URL(file, fixtures), 'utf8');
  return line === undefined ? text : (text.split('\n')[line] ?? '');
}
