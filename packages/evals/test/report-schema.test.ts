import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { formatReport, scoreResults } from '../src/index.js';
import { reportSchema } from '../src/score/report-schema.js';
import { makeResults } from './report-data.js';

const schemaFile = new URL('../schemas/eval-report.schema.json', import.meta.url);

test('PSA-35: the published schema of a report is the one that is read with', async () => {
  const { $schema, ...rest } = z.toJSONSchema(reportSchema, { io: 'input' });
  const schema = { $schema, $id: 'urn:skillpack:schema:eval-report:1', title: 'A report of evals', ...rest };
  // After a change on purpose, `vitest run packages/evals -u` writes the file anew.
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(fileURLToPath(schemaFile));
});

test('PSA-35: a validator that is not ours accepts reports by the published schema, and no slip', () => {
  const validate = new Ajv2020({ strict: true, validateFormats: false }).compile(
    JSON.parse(readFileSync(schemaFile, 'utf8')) as AnySchema,
  );
  const results = makeResults({ cases: 20, trials: 2, models: ['a:one', 'b:two'] });
  const report = scoreResults(results, {
    title: 'documents',
    baseline: makeResults({ cases: 20, trials: 2, seed: 3 }),
  });
  for (const given of [report, scoreResults([], { title: 'nothing' })]) {
    expect([validate(JSON.parse(formatReport(given))), validate.errors]).toEqual([true, null]);
  }
  const { title: _title, ...untitled } = report;
  expect(validate(JSON.parse(JSON.stringify(untitled)))).toBe(false);
  expect(validate({ ...JSON.parse(formatReport(report)), verdict: { kind: 'fine', reasons: [] } })).toBe(false);
  expect(validate({ ...JSON.parse(formatReport(report)), formatVersion: 2 })).toBe(false);
});
