import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from './parse-json.js';

test('PSA-32: a key spelled with an escape is read as it is, whatever was read before', () => {
  parseJson('{"first":1,"\\\\":1}');
  expect(Object.keys(parseJson('{"first":1,"\\ufeff":1}') as object)).toStrictEqual(['first', '\uFEFF']);
  expect(Object.keys(parseJson('{"first":1,"\\"":1}') as object)).toStrictEqual(['first', '"']);
  // What the program itself puts into an object has the same effect.
  expect(Object.keys({ second: 1, '\\u4f60\\': 1 })).toHaveLength(2);
  expect(Object.keys(parseJson('{"second":1,"\\u4f60\\u4f61cdefg":1}') as object)[1]).toBe('\u4F60\u4F61cdefg');
});

test('what was written is read, and in the same order', () => {
  const backslashes = fc.string({ unit: fc.constantFrom('\\', '"', 'u', '0', 'a', '\n', '{', ':', ']', '\u{1F600}') });
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      backslashes,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(backslashes, tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (written, indent) => {
      const text = JSON.stringify(written, null, indent);
      expect(JSON.stringify(parseJson(text), null, indent)).toBe(text);
    }),
  );
});

test.for(['{"a\\n":1,}', '{"a\\n"}', '{"\\n",1}', '["\\n":1]', '{"a\\n":1', '', '{"\\x":1}'])(
  '%j is no JSON',
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  },
);

test('the last of two values of a key counts, and `__proto__` is a key like others', () => {
  const read = parseJson('{"\\u005f_proto__":{"polluted":1},"b\\/c":1,"b/c":[{},[]]}') as Record<string, unknown>;
  expect(Object.entries(read)).toStrictEqual([
    ['__proto__', { polluted: 1 }],
    ['b/c', [{}, []]],
  ]);
  expect('polluted' in read).toBe(false);
});

test.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('%s within others are read as deep as JSON.parse reads them', (_, opening, closing) => {
  const levels = 20_000;
  let value = parseJson(`{"\\n":${opening.repeat(levels)}[]${closing.repeat(levels)}}`);
  let found = 0;
  // By hand: whatever compares by recursion ends before.
  for (; typeof value === 'object' && value !== null && Object.keys(value).length > 0; found += 1)
    [value] = Object.values(value);
  expect(found).toBe(levels + 1);
  expect(value).toStrictEqual([]);
});

test.each([
  ['{"\\n"\n:1}', '\n'],
  ['{"\\n"\t\r :1}', '\n'],
  ['{"first":1,"\\ufeff"\n:1}', '\uFEFF'],
])('%j: a key is one whatever blanks stand before its colon', (text, key) => {
  parseJson('{"first":1,"\\\\":1}');
  expect(Object.keys(parseJson(text) as object).at(-1)).toBe(key);
});

test('objects and lists without anything in them stay what they are', () => {
  expect(parseJson('{"\\n":[{},{ },[],[\n],[[]],{"a":{}}]}')).toStrictEqual({
    '\n': [{}, {}, [], [], [[]], { a: {} }],
  });
});
