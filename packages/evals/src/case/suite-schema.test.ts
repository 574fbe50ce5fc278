import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readYaml } from '../formats/read-yaml.js';
import { fieldWords, onlyOneOf, shortForms, suiteSchema } from './suite-schema.js';

const folder = fileURLToPath(new URL('../../test/fixtures/cases/', import.meta.url));
const fixture = (name: string) => readFileSync(`${folder}${name}`, 'utf8');

const schemaFile = new URL('../../schemas/eval-suite.schema.json', import.meta.url);

test('PSA-35: the published schema of a file of cases is the one that it is read with', async () => {
  const { $schema, ...rest } = z.toJSONSchema(suiteSchema, {
    override: ({ zodSchema, jsonSchema }) => {
      const schema: z.core.$ZodType = zodSchema;
      if (jsonSchema.properties !== undefined) jsonSchema.additionalProperties = false;
      const one = onlyOneOf.get(schema);
      if (one !== undefined) jsonSchema.oneOf = one.fields.map((name) => ({ required: [name] }));
      const words = fieldWords.get(schema);
      if (words !== undefined) jsonSchema.description = words.description;
      const short = shortForms.get(schema);
      if (short === undefined) return;
      const long = { ...jsonSchema };
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      jsonSchema.anyOf = [short.json, long];
    },
  });
  const schema = { $schema, $id: 'urn:skillpack:schema:eval-suite:1', title: 'A file of eval cases', ...rest };
  // After a change on purpose, `vitest run packages/evals/src/case -u` writes the file anew.
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(fileURLToPath(schemaFile));
});

test('PSA-35: a validator that is not ours accepts these files by the published schema, and no slip', () => {
  const schema = JSON.parse(readFileSync(schemaFile, 'utf8')) as AnySchema;
  const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema);
  for (const name of ['tasks.yaml', 'triggers.yaml']) {
    expect([name, validate(readYaml(fixture(name))), validate.errors]).toEqual([name, true, null]);
  }
  const valid = (fields: object) => validate({ formatVersion: 1, cases: [{ id: 'a', input: 'b', ...fields }] });
  expect(valid({})).toBe(true);
  expect(valid({ inputs: 'a' })).toBe(false);
  expect(valid({ conversation: ['a'] })).toBe(false);
  expect(valid({ expected: { skills: { anyOf: ['pdf'] } } })).toBe(false);
  expect(valid({ expected: { output: [{ contains: 'a', equals: 'b' }] } })).toBe(false);
  expect(valid({ expected: { actions: ['run_script'] } })).toBe(false);
  expect(validate({ cases: [{ id: 'a', input: 'b' }] })).toBe(false);
});
