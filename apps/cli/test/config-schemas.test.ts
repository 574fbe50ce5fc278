import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SkillsError } from '@skillpack/core';
import { parseModelTable } from '@skillpack/model-adapters';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { assert, constantFrom, dictionary, integer, jsonValue, oneof, property, record } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configFields, limitFields, permissionFields } from '../src/settings/config-schema.js';
import { readConfigFile } from '../src/settings/config-file.js';
import { configSchemaOf, type ConfigOwner } from './config-schemas.js';

const schemas = new URL('../schemas/', import.meta.url);
const files: Readonly<Record<ConfigOwner, string>> = {
  user: 'config.schema.json',
  project: 'project-config.schema.json',
};
const owners = ['user', 'project'] as const;

let folder: string;
let path: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'config-schemas-')));
  path = join(folder, 'config.json');
  mkdirSync(folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

function validatorOf(owner: ConfigOwner): ValidateFunction {
  const schema = JSON.parse(readFileSync(new URL(files[owner], schemas), 'utf8')) as object;
  return new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
}

/** What the command says of a file: nothing, where it is all in order. */
function complaintsOf(value: unknown, owner: ConfigOwner): readonly string[] {
  const warnings: string[] = [];
  writeFileSync(path, JSON.stringify(value));
  try {
    const { models } = readConfigFile(path, { owner, warn: (message) => warnings.push(message) });
    if (typeof models === 'object') parseModelTable(JSON.stringify({ models }), { fileName: path });
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return [error.message];
  }
  return warnings;
}

test.each(owners)('PSA-37: the published schema of config.json of a %s is the one that is read with', async (owner) => {
  // After a change on purpose, `vitest run apps/cli/test/config-schemas.test.ts --update` writes the files anew.
  await expect(`${JSON.stringify(configSchemaOf(owner), null, 2)}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL(files[owner], schemas)),
  );
});

test('PSA-37: the schemas are published with the command, and no others', () => {
  expect(readdirSync(schemas).toSorted()).toEqual(Object.values(files).toSorted());
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { files: string[] };
  expect(manifest.files).toContain('schemas');
});

const price = { input: 1, output: 2 };
const agreed: readonly unknown[] = [
  {},
  { $schema: 'https://example.com/config.schema.json', formatVersion: 1 },
  { registry: 'https://skills.example.com', registries: { acme: './registry' }, offline: true },
  { dirs: ['skills', '~/more'], permissions: { deny: ['Read(.env)'] } },
  { permissions: {} },
  { model: 'openai:gpt-5', cache: 'cache', runsDir: 'runs', sandbox: 'required' },
  { models: 'models.json' },
  { models: { 'small*': { contextTokens: 8000, prices: price } } },
  { limits: { turns: 1, toolCalls: 0, scripts: 0, tokens: 1, timeout: 1, script: 1 } },
  { permissions: { allow: ['risk:low'], ask: [], deny: [], allowedTools: 'grant', env: ['CI'] } },
  { permissions: { allowedTools: { pdf: 'restrict', 'acme/*': 'ignore' } } },
];
const refused: readonly unknown[] = [
  null,
  [],
  'model',
  { $schema: 1 },
  { formatVersion: 2 },
  { registry: '' },
  { registry: 'x'.repeat(4097) },
  { registries: { acme: 1 } },
  { registries: [] },
  { dirs: 'skills' },
  { dirs: [''] },
  { offline: 'yes' },
  { model: 7 },
  { models: [] },
  { models: 7 },
  { models: { small: 7 } },
  { models: { small: { window: 7 } } },
  { models: { small: { prices: { input: 1 } } } },
  { limits: { turns: 0 } },
  { limits: { turns: 1.5 } },
  { limits: [] },
  { limits: { turn: 1 } },
  { sandbox: 'yes' },
  { permissions: { deny: 'run_script' } },
  { permissions: { deny: [7] } },
  { permissions: { denny: [] } },
  { permissions: { allowedTools: 'all' } },
  { permissions: { allowedTools: { pdf: 'all' } } },
  { permission: {} },
  { sandbx: 'off' },
  { colour: 'red' },
];

test.each(owners)('PSA-37: the schema of a %s accepts what is read without a word, and nothing else', (owner) => {
  const validate = validatorOf(owner);
  for (const value of [...agreed, ...refused]) {
    expect([value, validate(value)]).toEqual([value, complaintsOf(value, owner).length === 0]);
  }
  for (const value of refused) expect(validate(value), JSON.stringify(value)).toBe(false);
  for (const value of owner === 'user' ? agreed : agreed.slice(0, 5)) expect(complaintsOf(value, owner)).toEqual([]);
});

test('PSA-37: what a person says of their own is not a project’s to say, by its schema, too', () => {
  const [ofPerson, ofProject] = [validatorOf('user'), validatorOf('project')];
  for (const value of agreed.slice(5)) expect([ofPerson(value), ofProject(value)]).toEqual([true, false]);
});

test('PSA-37: schema and command agree on whatever is written', () => {
  const words = ['', 'x', 'grant', 'required', 'auto', 'openai:gpt-5'];
  const value = oneof(
    jsonValue({ maxDepth: 2 }),
    constantFrom<unknown>(...words, ...words.map((word) => [word]), true, 1),
    integer({ min: -1, max: 2 }),
  );
  const fieldsOf = (known: object) => Object.fromEntries(Object.keys(known).map((name) => [name, value]));
  const inner = (known: object) =>
    oneof({ weight: 3, arbitrary: record(fieldsOf(known), { requiredKeys: [] }) }, value);
  const { limits: _, permissions: __, ...others } = fieldsOf(configFields);
  const file = record(
    {
      ...others,
      limits: inner(limitFields),
      permissions: inner(permissionFields),
      registries: oneof(dictionary(constantFrom('acme', 'org'), value), value),
    },
    { requiredKeys: [] },
  );
  // One field at a time as well: of many, one is always wrong.
  const single = file.map((whole) => Object.fromEntries(Object.entries(whole).slice(0, 1)));
  for (const owner of owners) {
    const validate = validatorOf(owner);
    assert(
      property(oneof(file, single), (written) => {
        // As a file holds it.
        const present: unknown = JSON.parse(JSON.stringify(written));
        expect([present, validate(present)]).toEqual([present, complaintsOf(present, owner).length === 0]);
      }),
      { numRuns: 500 },
    );
  }
});
