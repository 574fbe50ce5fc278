import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SkillsError } from '@skillpack/core';
import { memoryCassette, recorded, scripted } from '@skillpack/model-adapters';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { cassetteLineSchema } from '../src/recorded/cassette-line-schema.js';
import { calling, decided, errorOf, requestOf, saw, user } from './recorded-ground.js';

const schemaFile = new URL('../schemas/cassette-line.schema.json', import.meta.url);

async function example(): Promise<string> {
  const cassette = memoryCassette();
  const skills = { pdf: `sha256:${'a'.repeat(64)}` as never };
  const script = [{ say: 'one', finish: 'length' } as const, { fail: 'RATE_LIMITED' } as const, { say: 'two' }];
  const model = await recorded(scripted(script), cassette, { mode: 'record', skills });
  const first = requestOf([user('go')]);
  await model.decide(first, calling());
  await model.decide(first, calling()).catch(() => undefined);
  await model.decide(requestOf([...first.messages, decided('one'), saw('no', false)]), calling());
  await model.close();
  return cassette.text ?? '';
}

test('PSA-29: the published schema of a line of a cassette is the one that is read with', async () => {
  const { $schema, ...rest } = z.toJSONSchema(cassetteLineSchema, { io: 'input' });
  const schema = {
    $schema,
    $id: 'urn:skillpack:schema:cassette-line:1',
    title: 'A line of a cassette of model calls',
    ...rest,
  };
  // After a change on purpose, `vitest run packages/model-adapters/test/recorded-format.test.ts -u` writes the file anew.
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(fileURLToPath(schemaFile));
});

function publishedSchema(): (value: unknown) => boolean {
  const schema = JSON.parse(readFileSync(schemaFile, 'utf8')) as AnySchema;
  return new Ajv2020({ strict: true }).compile(schema);
}

test('PSA-29: each line of a cassette follows the published schema, as a validator says that is not ours', async () => {
  const lines = (await example()).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual([
    'cassette',
    'text',
    'tools',
    'answer',
    'error',
    'answer',
  ]);
  const validate = publishedSchema();
  for (const line of lines) expect(validate(JSON.parse(line)), line).toBe(true);
});

const digest = `sha256:${'0'.repeat(64)}`;

/** What is done to the lines, and what is said of it. */
const broken: readonly (readonly [string, (lines: string[]) => string[], string])[] = [
  ['no line', () => [], 'line 1, is not valid: it is empty'],
  [
    'no first line',
    (lines) => lines.slice(1),
    'line 1, is not valid: the first line of a cassette is of the kind cassette',
  ],
  [
    'a second first line',
    ([first = '', ...rest]) => [first, ...rest, first],
    'line 7, is not valid: there is a second line',
  ],
  ['no JSON in the middle', (lines) => lines.with(2, '{"kind":"tools",'), 'line 3, is not JSON'],
  ['a list', (lines) => lines.with(1, '[]'), 'line 2, is not valid: expected'],
  [
    'a line of no kind',
    (lines) => lines.with(3, '{"kind":"answr"}'),
    'line 4, is not valid at kind: expected a line of the kind',
  ],
  [
    'no text',
    (lines) => lines.with(3, (lines[3] ?? '').replace('"text":"one"', '"txt":"one"')),
    'line 4, is not valid at answer.text',
  ],
  [
    'tokens that are none',
    (lines) => lines.with(3, (lines[3] ?? '').replace(/"outputTokens":\d+/u, '"outputTokens":-1')),
    'line 4, is not valid at answer.usage.outputTokens',
  ],
  [
    'an error of ours',
    (lines) => lines.with(4, (lines[4] ?? '').replace('RATE_LIMITED', 'INTERNAL')),
    'line 5, is not valid at error.code: expected a code of an error of a provider',
  ],
  [
    'no digest',
    (lines) => lines.with(3, (lines[3] ?? '').replace('"key":"sha256:', '"key":"md5:')),
    'line 4, is not valid at key: expected a digest',
  ],
  [
    'a text that is not there',
    (lines) => lines.filter((line) => !line.startsWith('{"kind":"text"')),
    'line 3, is not valid: no line before it has sha256:',
  ],
  [
    'a beginning that is not there',
    (lines) => lines.with(4, (lines[4] ?? '').replace(/"after":"sha256:\w+"/u, `"after":"${digest}"`)),
    `line 5, is not valid: no line before it has ${digest}`,
  ],
  [
    'a depth beyond all',
    (lines) => lines.with(2, `{"kind":"tools","digest":"${digest}","tools":${'['.repeat(5000)}${']'.repeat(5000)}}`),
    'line 3, is nested deeper',
  ],
  [
    'too many lines',
    (lines) => [...lines, ...Array.from({ length: 50_000 }, () => '')],
    'it has more than 50000 lines',
  ],
];

test.for(broken)('PSA-29: a cassette with %s is refused, with the number of the line', async ([, change, words]) => {
  const lines = (await example()).trimEnd().split('\n');
  const error = await errorOf(recorded(undefined, memoryCassette(`${change(lines).join('\n')}\n`)));
  expect(error.code).toBe('INVALID_CASSETTE');
  expect(error.message).toContain(`The cassette in memory, ${words.startsWith('line') ? words : ''}`);
  expect(error.message).toContain(words);
});

test('PSA-29: a cassette of another version is refused as that', async () => {
  const text = (await example()).replace('"formatVersion":1', '"formatVersion":2');
  const error = await errorOf(recorded(undefined, memoryCassette(text)));
  expect(error.code).toBe('UNSUPPORTED_FORMAT');
  expect(error.message).toContain('line 1, has formatVersion 2');
});

test('PSA-29: a last line that was cut off is left out of a replay, which says so; nothing is added behind it', async () => {
  const text = await example();
  for (const length of [1, 20, 200]) {
    const torn = memoryCassette(text.slice(0, -length));
    const model = await recorded(undefined, torn);
    if (length === 1) {
      // Without its line feed alone it is whole.
      expect((await model.decide(requestOf([user('go'), decided('one'), saw('no', false)]), calling())).text).toBe(
        'two',
      );
      continue;
    }
    expect((await model.decide(requestOf([user('go')]), calling())).text).toBe('one');
    const last = requestOf([user('go'), decided('one'), saw('no', false)]);
    expect((await errorOf(model.decide(last, calling()))).message).toContain('Its last line, 6, is cut off.');
    const error = await errorOf(recorded(scripted([]), torn, { mode: 'record-missing' }));
    expect(error.code).toBe('INVALID_CASSETTE');
    expect(error.message).toContain('The last line, 6, of the cassette in memory is cut off.');
    expect(torn.text).toBe(text.slice(0, -length));
  }
});

test('PSA-29: whatever a file holds, it is read or refused with a code', async () => {
  const text = await example();
  const change = fc.tuple(
    fc.nat(text.length),
    fc.nat(40),
    fc.oneof(fc.string(), fc.constantFrom('\n', '"', '}', 'null', '__proto__')),
  );
  await fc.assert(
    fc.asyncProperty(change, async ([at, removed, added]) => {
      const changed = text.slice(0, at) + added + text.slice(at + removed);
      const outcome: unknown = await recorded(undefined, memoryCassette(changed)).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(SkillsError.is(outcome), String(outcome)).toBe(true);
    }),
  );
});
