import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SkillsError, type ModelUsage } from '@skillpack/core';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { costOf } from './cost-of.js';
import { defaultModels, modelsChecked } from './default-models.js';
import { findModel } from './find-model.js';
import { modelTableSchema } from './model-table-schema.js';
import { parseModelTable } from './parse-model-table.js';

const prices = { input: 2, output: 10, cachedInput: 0.2, cacheWrite: 2.5 };

test('PSA-29: what a provider had kept, and what it keeps from now on, is priced apart; reasoning is output', () => {
  const usage = {
    inputTokens: 1_000_000,
    outputTokens: 100_000,
    cachedInputTokens: 400_000,
    cacheWriteTokens: 100_000,
    reasoningTokens: 60_000,
  };
  expect(costOf(usage, prices)).toBeCloseTo(0.5 * 2 + 0.4 * 0.2 + 0.1 * 2.5 + 0.1 * 10, 10);
  expect(costOf(usage, { input: 2, output: 10 })).toBeCloseTo(2 + 1, 10);
  // Some count what was kept beside the input.
  expect(costOf({ inputTokens: 10, outputTokens: 0, cachedInputTokens: 1_000_000 }, prices)).toBeCloseTo(0.2, 10);
});

test('PSA-29: where no price is known the cost is not known; it is never 0 for want of one', () => {
  const usage = { inputTokens: 1000, outputTokens: 1000 };
  expect(costOf(usage, undefined)).toBeUndefined();
  expect(costOf({ inputTokens: 0, outputTokens: 0 }, prices)).toBe(0);
  for (const odd of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(costOf({ ...usage, inputTokens: odd }, prices)).toBeUndefined();
    expect(costOf({ ...usage, cacheWriteTokens: odd }, prices)).toBeUndefined();
    expect(costOf(usage, { ...prices, output: odd })).toBeUndefined();
  }
});

test('PSA-29: whatever is counted, a cost is a number of dollars or unknown, and more tokens cost no less', () => {
  const tokens = fc.oneof(fc.nat(), fc.double(), fc.constant(Number.MAX_SAFE_INTEGER), fc.constant(undefined));
  fc.assert(
    fc.property(
      fc.nat(),
      fc.nat(),
      tokens,
      tokens,
      (inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens) => {
        const usage: ModelUsage = { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens };
        const cost = costOf(usage, prices);
        expect(cost === undefined || (Number.isFinite(cost) && cost >= 0)).toBe(true);
        const more = costOf({ ...usage, outputTokens: outputTokens + 1 }, prices);
        if (cost !== undefined) expect(more).toBeGreaterThanOrEqual(cost);
      },
    ),
  );
});

test('PSA-29: a long request is priced as one, as a whole', () => {
  const usage = { inputTokens: 272_000, outputTokens: 1000 };
  const found = findModel(defaultModels, 'openai:gpt-5.5')?.prices;
  expect(costOf(usage, found)).toBeCloseTo(0.272 * 5 + 0.001 * 30, 10);
  expect(costOf({ ...usage, inputTokens: 272_001 }, found)).toBeCloseTo(0.272001 * 10 + 0.001 * 45, 10);
});

test('PSA-29: of the keys for a name, the one that says most counts', () => {
  const of = (contextTokens: number) => ({ contextTokens });
  const table = {
    '*': of(1),
    'gpt*': of(2),
    'gpt-5*': of(3),
    'gpt-5': of(4),
    'mine:gpt-5': of(5),
    'mine:gpt-5*': of(6),
    'mine:*': of(7),
    'llama3.3:70b': of(8),
  };
  const tokens = (name: string) => findModel(table, name)?.contextTokens;
  expect(tokens('other:claude')).toBe(1);
  expect(tokens('other:gpt-4')).toBe(2);
  expect(tokens('other:gpt-5-mini')).toBe(3);
  expect(tokens('other:gpt-5')).toBe(4);
  expect(tokens('mine:gpt-5')).toBe(5);
  expect(tokens('mine:gpt-5-mini')).toBe(6);
  expect(tokens('mine:claude')).toBe(7);
  expect(tokens('ollama:llama3.3:70b')).toBe(8);
  expect(findModel({}, 'other:gpt')).toBeUndefined();
  expect(findModel({}, 'toString')).toBeUndefined();
  expect(findModel({ gpt: of(1) }, 'gpt')?.contextTokens).toBe(1);
});

test('PSA-29: the table holds what its sources say, and no price that is not known', () => {
  const known = (name: string) => findModel(defaultModels, name);
  expect(known('openai:gpt-4.1-2025-04-14')).toMatchObject({
    contextTokens: 1_047_576,
    prices: { input: 2, output: 8 },
  });
  expect(known('openai:gpt-5-mini')).toMatchObject({ contextTokens: 400_000, prices: { input: 0.25, output: 2 } });
  expect(known('anthropic:claude-sonnet-4-5-20250929')).toMatchObject({
    contextTokens: 200_000,
    prices: { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
  });
  expect(known('anthropic:claude-sonnet-5-5')?.prices).toEqual({
    input: 2,
    output: 10,
    cachedInput: 0.1,
    cacheWrite: 2.5,
  });
  for (const unpriced of ['openai:gpt-5.6-sol', 'openai:gpt-5.4-nano', 'vllm:openai/gpt-oss-120b']) {
    expect(known(unpriced)?.prices, unpriced).toBeUndefined();
    expect(known(unpriced)?.contextTokens, unpriced).toBeGreaterThan(100_000);
  }
  // A newer one of the same family is another one.
  for (const unknown of [
    'openai:gpt-5.7',
    'openai:gpt-4o-audio-preview',
    'anthropic:claude-opus-5-9',
    'scripted:script',
  ])
    expect(known(unknown), unknown).toBeUndefined();
});

test('PSA-29: the table itself follows the format of tables, and the page names the day it was checked', () => {
  const text = JSON.stringify({ formatVersion: 1, checked: modelsChecked, models: defaultModels });
  expect(parseModelTable(text, { fileName: 'models.json' })).toEqual(defaultModels);
  const page = readFileSync(new URL('../../../../docs/models.md', import.meta.url), 'utf8');
  expect(page).toContain(modelsChecked);
});

const example = {
  formatVersion: 1,
  checked: '2026-11-22',
  models: {
    'ollama:*': { contextTokens: 8192 },
    'openai:gpt-4.1': { prices: { input: 2, output: 8, cachedInput: 0.5, long: { over: 1000, input: 4, output: 12 } } },
  },
};

/** Documents, whether they are tables, and what is said of those that are not. */
const documents = [
  ['a table', example, undefined],
  ['one without models', { models: {} }, undefined],
  ['nothing', null, 'expected an object'],
  ['no models', { formatVersion: 1 }, 'at models'],
  ['a key with a blank', { models: { 'gpt 5': {} } }, 'expected the name of a model'],
  ['a star in the middle', { models: { 'gpt*5': {} } }, 'expected the name of a model'],
  ['a window of nothing', { models: { a: { contextTokens: 0 } } }, 'at models.a.contextTokens'],
  ['half a token', { models: { a: { maxOutputTokens: 0.5 } } }, 'at models.a.maxOutputTokens'],
  ['a negative price', { models: { a: { prices: { input: -1, output: 1 } } } }, 'at models.a.prices.input'],
  ['a price without output', { models: { a: { prices: { input: 1 } } } }, 'at models.a.prices.output'],
  ['a slip', { models: { a: { prices: { input: 1, output: 1, cached: 1 } } } }, 'there is no “cached”'],
  ['a day that is none', { checked: 'today', models: {} }, 'expected a day'],
] as const;

test.for(documents)(
  'PSA-29: a file with %s is read or refused, by the parser and by the schema',
  ([, document, words]) => {
    const validate = new Ajv2020({ strict: true }).compile(JSON.parse(readFileSync(schemaFile, 'utf8')) as AnySchema);
    expect(validate(document)).toBe(words === undefined);
    const read = (): unknown => parseModelTable(JSON.stringify(document), { fileName: 'mine.json' });
    if (words === undefined) return expect(read()).toEqual(document?.models);
    expect(read).toThrow(words);
    expect(read).toThrow('The table of models mine.json is not valid');
    return undefined;
  },
);

test('PSA-29: a file that is no JSON, or of another version, is refused', () => {
  const codeOf = (text: string): unknown => {
    try {
      return parseModelTable(text, { fileName: 'mine.json' });
    } catch (error) {
      return SkillsError.is(error) ? error.code : error;
    }
  };
  expect(codeOf('{')).toBe('INVALID_CONFIG');
  expect(codeOf('{"formatVersion":2,"models":{}}')).toBe('UNSUPPORTED_FORMAT');
  expect(codeOf(`{"models":{"a":{"__proto__":{"contextTokens":1}}}}`)).toEqual({ a: {} });
});

const schemaFile = new URL('../../schemas/model-table.schema.json', import.meta.url);

test('PSA-29: the published schema of a table of models is the one that is read with', async () => {
  const { $schema, ...rest } = z.toJSONSchema(modelTableSchema, { io: 'input' });
  const schema = { $schema, $id: 'urn:skillpack:schema:model-table:1', title: 'Windows and prices of models', ...rest };
  // After a change on purpose, `vitest run packages/model-adapters -u` writes the file anew.
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(fileURLToPath(schemaFile));
});
