import { expect, test } from 'vitest';
import { compileJsonSchema } from './compile-json-schema.js';

test('PSA-36: a value follows a schema, or it is told where it does not', () => {
  const check = compileJsonSchema({ type: 'object', required: ['pages'], properties: { pages: { type: 'integer' } } });
  expect(check({ pages: 2 })).toEqual({ valid: true, problem: undefined });
  expect(check({ pages: 'two' })).toEqual({ valid: false, problem: '/pages must be integer' });
  expect(check([])).toEqual({ valid: false, problem: 'must be object' });
});

test('no schema changes what a later one says, whatever it calls itself', () => {
  const $id = 'https://a.test/schema';
  const first = compileJsonSchema({ $id, $anchor: 'x', $defs: { a: { type: 'string' } }, $ref: '#/$defs/a' });
  const second = compileJsonSchema({ $id, $anchor: 'x', $defs: { a: { type: 'number' } }, $ref: '#/$defs/a' });
  expect([first('a').valid, first(1).valid, second('a').valid, second(1).valid]).toEqual([true, false, false, true]);
  expect(() => compileJsonSchema({ $ref: $id })).toThrow("can't resolve reference");
  compileJsonSchema({ $id: 'https://json-schema.org/draft/2020-12/schema', type: 'string' });
  expect(() => compileJsonSchema({ type: 'strin' })).toThrow('schema is invalid');
  expect(compileJsonSchema({ type: 'object' })({}).valid).toBe(true);
});

test('the same object as a schema twice is read twice', () => {
  const schema = { const: 1 };
  expect(compileJsonSchema(schema)(1).valid).toBe(true);
  schema.const = 2;
  expect(compileJsonSchema(schema)(1).valid).toBe(false);
});

test('a pattern takes linear time, and a schema without an end ends', () => {
  const slow = compileJsonSchema({ type: 'string', pattern: '^(a+)+$' });
  expect(slow(`${'a'.repeat(50_000)}b`).valid).toBe(false);
  expect(() => compileJsonSchema({ pattern: '(?=a)' })).toThrow('invalid');
  expect(() => compileJsonSchema({ $ref: '#' })(1)).toThrow('it, or the schema, goes too deep');
});

test('a schema that is too large is refused', () => {
  expect(() => compileJsonSchema({ const: 'x'.repeat(40_000) })).toThrow('at most 32768 are allowed');
});

test('a schema may refer to itself as a whole, and the next one to itself', () => {
  const listOf = (type: string) => ({
    type: 'object',
    properties: { value: { type }, next: { $ref: '#' } },
    required: ['value'],
  });
  const numbers = compileJsonSchema(listOf('number'));
  const texts = compileJsonSchema(listOf('string'));
  const named = compileJsonSchema({ $id: 'https://a.test/list', ...listOf('boolean') });
  expect([numbers, texts, named].map((check) => check({ value: 1, next: { value: 2 } }).valid)).toEqual([
    true,
    false,
    false,
  ]);
  expect([numbers, texts, named].map((check) => check({ value: 1, next: { value: 'b' } }).valid)).toEqual([
    false,
    false,
    false,
  ]);
  expect([numbers, texts, named].map((check) => check({ value: 'a', next: { value: 'b' } }).valid)).toEqual([
    false,
    true,
    false,
  ]);
  expect(named({ value: true, next: { value: false } }).valid).toBe(true);
});
