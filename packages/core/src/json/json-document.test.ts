import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { caught } from '../../test/caught.js';
import { documentLines, readDocument, readJson, writeDocument } from './json-document.js';
import { recordSchema } from './record-schema.js';

const options = { what: 'It', code: 'INVALID_LOCK', maxLength: 16 * 1024 * 1024, hint: 'Do.' } as const;
const read = (text: string) => readJson(text, options);

test('a byte order mark is skipped, keys named __proto__ are dropped however they are spelled', () => {
  expect(read('\uFEFF{"a":1}')).toEqual({ a: 1 });
  for (const key of ['__proto__', '\\u005f_proto__', '__pr\\u006Fto__']) {
    const value = read(`{"${key}":{"polluted":true},"b":{"${key}":1,"c":2}}`) as { b: object };
    expect(Object.keys(value)).toEqual(['b']);
    expect(Object.keys(value.b)).toEqual(['c']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('polluted' in value).toBe(false);
  }
});

test('what is no JSON is refused with the code, the hint and the place', () => {
  for (const text of ['', '{', 'null x', "{'a':1}", '{"a":1,}', 'NaN', '\u0000', '{"a":"\n"}', '"a']) {
    const error = caught(() => read(text));
    expect([error.code, error.hint]).toEqual(['INVALID_LOCK', 'Do.']);
    expect(error.message).toMatch(/^It is not JSON: .+\.$/u);
  }
});

test('a document is bounded in length, depth and number of values, before it is parsed', () => {
  const size = 16 * 1024 * 1024;
  const hostile = [
    ['x'.repeat(size + 1), 'characters'],
    ['['.repeat(size), 'deeper than 64'],
    ['['.repeat(size / 2) + ']'.repeat(size / 2), 'deeper than 64'],
    ['{"a":'.repeat(65) + '1' + '}'.repeat(65), 'deeper than 64'],
    [`[${'1,'.repeat(size / 2 - 2)}1]`, 'more than 200000 values'],
    [`{${Array.from({ length: 200_001 }, (_, index) => `"${index}":1`).join()}}`, 'more than 200000 values'],
  ] as const;
  for (const [text, message] of hostile) {
    const started = performance.now();
    const error = caught(() => read(text));
    expect(error.code).toBe('INVALID_LOCK');
    expect(error.message).toContain(message);
    expect(performance.now() - started).toBeLessThan(20_000);
  }
  expect(read('['.repeat(64) + ']'.repeat(64))).toHaveLength(1);
});

test('brackets and commas inside texts do not count', () => {
  const text = JSON.stringify({ a: '['.repeat(1_000), b: '\\"{{{'.repeat(100), c: ','.repeat(300_000), '[[': '\\' });
  expect(read(text)).toEqual(JSON.parse(text));
});

test('reads every JSON value as the platform does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      fc.pre(!text.includes('__proto__'));
      expect(read(text)).toEqual(JSON.parse(text));
    }),
  );
});

const schema = z.object({
  formatVersion: z.literal(1),
  size: z.number().check(z.int()),
  kind: z.optional(z.enum(['a', 'b'])),
  list: z.optional(z.array(z.string()).check(z.maxLength(1))),
  records: z.optional(recordSchema(z.string().check(z.regex(/^[a-z]+$/u, { error: 'expected a key' })), z.string())),
});

test.each([
  ['{"formatVersion":1}', 'It is not valid at size: expected a number, which is missing.'],
  ['{"formatVersion":1,"size":"big"}', 'It is not valid at size: expected a number, found “big”.'],
  ['{"formatVersion":1,"size":1.5}', 'It is not valid at size: expected a whole number, found 1.5.'],
  ['{"formatVersion":1,"size":1e400}', 'It is not valid at size: expected a number, found Infinity.'],
  ['{"formatVersion":1,"size":1,"kind":"c"}', 'It is not valid at kind: expected a or b, found “c”.'],
  [
    '{"formatVersion":1,"size":1,"list":["a","b"]}',
    'It is not valid at list: expected at most 1 items, found a list of 2 items.',
  ],
  ['{"formatVersion":1,"size":1,"list":[null]}', 'It is not valid at list.0: expected a text, found null.'],
  ['{"formatVersion":1,"size":1,"records":{"A":"x"}}', 'It is not valid at records.A: expected a key, found “A”.'],
  [
    '{"formatVersion":1,"size":1,"records":{"a":{}}}',
    'It is not valid at records.a: expected a text, found an object.',
  ],
  ['{"formatVersion":"1","size":1}', 'It is not valid at formatVersion: expected 1, found “1”.'],
  ['{"size":1}', 'It is not valid at formatVersion: expected 1, which is missing.'],
  ['[]', 'It is not valid: expected an object, found a list of 0 items.'],
  ['null', 'It is not valid: expected an object, found null.'],
])('%s: %s', (text, message) => {
  const error = caught(() => readDocument(text, schema, options));
  expect([error.code, error.message]).toEqual(['INVALID_LOCK', message]);
});

test.each(['\\"', '\\\\', '\\\\\\"', 'a\\\\\\\\', ''])(
  'brackets count outside of strings alone, also where %j stands before the end of one',
  (escapes) => {
    const deep = '['.repeat(100);
    const within = `{"formatVersion":1,"size":1,"text":"${escapes}${deep}${escapes}"}`;
    expect(readDocument(within, schema, options)).toEqual({ formatVersion: 1, size: 1 });
    const behind = caught(() => readDocument(`{"formatVersion":1,"text":"${escapes}","size":${deep}`, schema, options));
    expect(behind.message).toContain('nested deeper');
  },
);

test('an unknown formatVersion names both versions, before anything else is judged', () => {
  for (const found of [0, 2, 1.5, -1, 1e300]) {
    const error = caught(() => readDocument(`{"formatVersion":${found}}`, schema, options));
    expect(error).toMatchObject({ code: 'UNSUPPORTED_FORMAT', data: { found, known: 1 } });
  }
});

test('a hostile key or value stays short and visible in the message', () => {
  const key = `\u001B]0;owned\u0007${'k'.repeat(1_000_000)}`;
  const error = caught(() =>
    readDocument(JSON.stringify({ formatVersion: 1, size: 1, records: { [key]: '' } }), schema, options),
  );
  expect(error.message).toContain('<U+001B>');
  expect(error.message.length).toBeLessThan(400);
  expect(JSON.stringify(error.data).length).toBeLessThan(1_000);
});

test('records hold what the document says and nothing that every object has', () => {
  const { records } = readDocument('{"formatVersion":1,"size":1,"records":{"a":"x"}}', schema, options);
  expect(records).toEqual({ a: 'x' });
  expect(Object.getPrototypeOf(records)).toBeNull();
  expect(records?.['constructor']).toBeUndefined();
  const own = readDocument('{"formatVersion":1,"size":1,"records":{"constructor":"x"}}', schema, options);
  expect(own.records?.['constructor']).toBe('x');
});

test('lines are numbered as an editor numbers them', () => {
  const lines = documentLines('a\n\n  \r\nb\r\nc', options);
  expect(lines.map(({ text, what }) => [text.trim(), what])).toEqual([
    ['a', 'It, line 1,'],
    ['b', 'It, line 4,'],
    ['c', 'It, line 5,'],
  ]);
  expect(documentLines('', options)).toEqual([]);
  expect(caught(() => documentLines('\n'.repeat(300_000), options)).message).toContain('more than 50000 lines');
});

test('writes sorted keys, two spaces, a final newline, and no undefined', () => {
  const value = { b: undefined, c: { z: 1, a: [{ y: 1, x: 2 }] }, a: null, id: 7 };
  expect(writeDocument(value, { first: ['id', 'absent'] })).toBe(
    '{\n  "id": 7,\n  "a": null,\n  "c": {\n    "a": [\n      {\n        "x": 2,\n        "y": 1\n      }\n    ],\n    "z": 1\n  }\n}\n',
  );
  expect(writeDocument(value, { compact: true })).toBe('{"a":null,"c":{"a":[{"x":2,"y":1}],"z":1},"id":7}\n');
});

test('same value, same bytes, whatever the order of its keys, and it is read again as it was', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (value) => {
      const text = writeDocument(value);
      const reversed = Object.fromEntries(Object.entries(value).toReversed());
      expect(writeDocument(reversed)).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(writeDocument(JSON.parse(text) as object)).toBe(text);
    }),
  );
});
