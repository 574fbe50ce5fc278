import { SkillsError } from '@skillpack/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatSuite } from '../src/case/format-suite.js';
import { parseSuite } from '../src/case/parse-suite.js';

/** What it throws has a code. */
async function readOrRefuse(text: string, fileName: string): Promise<string> {
  try {
    await parseSuite(text, { fileName });
    return 'read';
  } catch (error) {
    expect(SkillsError.is(error), String(error)).toBe(true);
    return SkillsError.is(error) ? `${error.code} ${error.message}` : '';
  }
}

test('whatever a file holds, it is read or refused with a code', async () => {
  const head = 'formatVersion: 1\ncases: ';
  const pieces = [
    'a:\n',
    '- ',
    '{',
    '[',
    '? ',
    '&a ',
    '*a ',
    '"',
    "'",
    '\t',
    '!!js ',
    '<<: ',
    '%YAML 1.1\n',
    '---\n',
    '|\n',
    '- &a x\n- *a\n',
    ': ',
  ];
  for (const piece of pieces) {
    const told = await readOrRefuse(head + piece.repeat(20_000 / piece.length), 'a.yaml');
    expect(told.startsWith('INVALID_CASE'), `${piece}: ${told.slice(0, 200)}`).toBe(true);
    expect(told.length).toBeLessThan(1_000);
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.constantFrom('a.yaml', 'a.json'), async (text, fileName) => {
      expect(await readOrRefuse(text, fileName)).not.toBe('read');
    }),
    { numRuns: 200 },
  );
});

test('whatever JSON stands for a case, it is read or refused with a code, and what is read can be written', async () => {
  const key = fc.constantFrom(
    'id',
    'input',
    'kind',
    'expected',
    'skills',
    'actions',
    'output',
    'files',
    'offer',
    'limits',
    'script',
    'of',
    'contains',
    'json',
    'occurs',
    'constructor',
    'toString',
    '__proto__',
  );
  const value = fc.jsonValue({ maxDepth: 2 });
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, value), fc.dictionary(key, value), async (fields, expected) => {
      // A dictionary has no prototype, so that `__proto__` is a key like another.
      const one = { id: 'a', input: 'b', ...fields, expected };
      const text = JSON.stringify({ formatVersion: 1, cases: [one, { id: 'b', input: 'c', ...expected }] });
      try {
        formatSuite(await parseSuite(text, { fileName: 'a.json' }));
      } catch (error) {
        expect(SkillsError.is(error), String(error)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
  expect(Object.prototype).not.toHaveProperty('id');
});

test('aliases that stand for more and more are refused, whether they stand for texts or for lists', async () => {
  const levels = 'bcdefghij'.split('');
  const lists = levels
    .map((name, index) => `${name}: &${name} [${`*${'abcdefghi'[index] ?? ''},`.repeat(9)}]`)
    .join('\n');
  expect(await readOrRefuse(`a: &a [x]\n${lists}`, 'a.yaml')).toMatch(/INVALID_CASE .*alias/u);
  expect(await readOrRefuse(`cases:\n${'  - &a {id: a}\n  - *a\n'.repeat(200)}`, 'a.yaml')).toContain(
    'more than 100 aliases',
  );
  const long = `x: &a ${'y'.repeat(1_000_000)}\ncases:\n${'  - *a\n'.repeat(90)}`;
  expect(await readOrRefuse(long, 'a.yaml')).toContain('its texts have more than');
});

test('YAML that comes to more than JSON may hold is refused: values through aliases, and levels', async () => {
  const many = `x: &a [${'1,'.repeat(2_500)}]\ncases: [${'*a,'.repeat(90)}]`;
  expect(await readOrRefuse(many, 'a.yaml')).toContain('it holds more than 200000 values');
  const deep = `formatVersion: 1\ncases: ${'['.repeat(70)}${']'.repeat(70)}`;
  expect(await readOrRefuse(deep, 'a.yaml')).toContain('it is nested deeper than 64 levels');
});

test('patterns and schemas that would take minutes are not compiled; the same one is compiled once', async () => {
  const suiteOf = (output: (index: number) => object, count: number) => {
    const cases = Array.from({ length: count }, (_, index) => ({
      id: `a${index}`,
      input: 'b',
      expected: { output: [output(index)] },
    }));
    return JSON.stringify({ formatVersion: 1, cases });
  };
  const slow = (index: number) => ({ regex: `${index}${'[a-z]{900}'.repeat(99)}` });
  expect(await readOrRefuse(suiteOf(slow, 1_100), 'a.json')).toMatch(
    /its patterns and schemas have \d+ characters, at most 1000000/u,
  );
  const named = (index: number) => ({ json: { $id: `https://a.test/${index}`, const: index } });
  expect(await readOrRefuse(suiteOf(named, 4_100), 'a.json')).toContain('at most 1000000 are compiled');
  const started = performance.now();
  expect(
    await readOrRefuse(
      suiteOf(() => named(1), 9_000),
      'a.json',
    ),
  ).toBe('read');
  expect(
    await readOrRefuse(
      suiteOf(() => ({ regex: 'a+', flags: 'i' }), 9_000),
      'a.json',
    ),
  ).toBe('read');
  // Compiling each would take more than a minute.
  expect(performance.now() - started).toBeLessThan(25_000);
});

test('files of a suite have a size and a number that they do not exceed', async () => {
  const MiB = 1024 * 1024;
  const take = async (names: readonly string[], bytes: number) => {
    const files = { read: async (path: string) => ({ path, bytes: new Uint8Array(bytes) }) };
    const entries = Object.fromEntries(names.map((name) => [name, { from: name }]));
    const text = JSON.stringify({ formatVersion: 1, cases: [{ id: 'a', input: 'b', files: entries }] });
    return parseSuite(text, { fileName: 'a.json', files });
  };
  const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}.bin`);
  expect((await take(names(4), 16 * MiB)).cases[0]?.files).toHaveLength(4);
  await expect(take(names(1), 16 * MiB + 1)).rejects.toThrow('it has 16777217 bytes, at most 16777216 are allowed');
  await expect(take(names(5), 16 * MiB)).rejects.toThrow('with it the files have more than 67108864 bytes');
  expect((await take(names(1_000), 1)).cases[0]?.files).toHaveLength(1_000);
  await expect(take(names(1_001), 1)).rejects.toThrow('expected at most 1000 files, found 1001');
});

test('a file that stands under every case is counted once', async () => {
  const cases = Array.from({ length: 80 }, (_, index) => ({ id: `a${index}`, input: 'b' }));
  const defaults = { files: { 'a.txt': 'x'.repeat(1024 * 1024) } };
  const suite = await parseSuite(JSON.stringify({ formatVersion: 1, defaults, cases }), { fileName: 'a.json' });
  expect(suite.cases[79]?.files[0]?.bytes).toBe(suite.cases[0]?.files[0]?.bytes);
});

test('what whoever reads files throws has its code, and the place of the file', async () => {
  const text = JSON.stringify({ formatVersion: 1, cases: [{ id: 'a', input: 'b', files: { x: { from: 'y' } } }] });
  const denied = {
    read: () => Promise.reject(new SkillsError('IO_ERROR', 'The disk is gone.', { hint: 'Look for it.' })),
  };
  await expect(parseSuite(text, { fileName: 'a.json', files: denied })).rejects.toMatchObject({
    code: 'IO_ERROR',
    message: 'The suite a.json, at cases.0.files.x: The disk is gone.',
    hint: 'Look for it.',
  });
  const broken = { read: () => Promise.reject(new TypeError('a slip')) };
  await expect(parseSuite(text, { fileName: 'a.json', files: broken })).rejects.toThrow(TypeError);
});

test('a file that is too long is refused before it is parsed, in YAML and in JSON', async () => {
  expect(await readOrRefuse(`formatVersion: 1\n#${'x'.repeat(1_600_000)}`, 'a.yaml')).toContain(
    'of YAML at most 1572864 are read',
  );
  expect(await readOrRefuse(`{"a":"${'x'.repeat(16_800_000)}"}`, 'a.json')).toContain('at most 16777216 are read');
  expect(await readOrRefuse(`{"cases":${'['.repeat(100_000)}`, 'a.json')).toContain('nested deeper than 64 levels');
  expect(await readOrRefuse(`{"cases":[${'1,'.repeat(300_000)}1]}`, 'a.json')).toContain('more than 200000 values');
});

test('10,000 cases are read, and one more is refused', async () => {
  const cases = Array.from(
    { length: 10_000 },
    (_, index) => `  - { id: case-${index}, input: What is ${index} and ${index}?, expected: { skills: none } }`,
  );
  const yaml = `formatVersion: 1\nname: many\ndefaults: { kind: trigger }\ncases:\n${cases.join('\n')}\n`;
  const suite = await parseSuite(yaml, { fileName: 'many.yaml' });
  expect(suite.cases).toHaveLength(10_000);
  expect(suite.cases.at(-1)).toMatchObject({ id: 'case-9999', expected: { skills: { none: true } } });
  expect(await parseSuite(formatSuite(suite), { fileName: 'many.yaml' })).toEqual(suite);
  expect(await readOrRefuse(`${yaml}  - { id: one-more, input: a }\n`, 'many.yaml')).toContain(
    'expected at most 10000 items',
  );
});

test('a key named __proto__ changes nothing, wherever it stands', async () => {
  for (const place of ['', '"cases":[{"id":"a","input":"b","limits":{"__proto__":{"maxTurns":1}}}],']) {
    const text = `{"formatVersion":1,${place}"__proto__":{"name":"evil"},"cases":[{"id":"a","input":"b","__proto__":{"trials":5},"script":{"__proto__":{"x":1}}}]}`;
    const told = await readOrRefuse(text, 'a.json');
    expect(told).toMatch(/^INVALID_CASE .*__proto__/u);
  }
  expect(({} as { readonly trials?: unknown }).trials).toBeUndefined();
  expect(
    await readOrRefuse('formatVersion: 1\ncases: [{ id: a, input: b, files: { __proto__: c } }]', 'a.yaml'),
  ).toContain('__proto__');
});

test('what a message tells of a file shows every character of it, and not more than a line or two', async () => {
  const told = await readOrRefuse(
    JSON.stringify({ formatVersion: 1, cases: [{ id: `a\u001B[31m${'x'.repeat(5_000)}`, input: 'b' }] }),
    'a.json',
  );
  // eslint-disable-next-line no-control-regex -- finding control characters is what it is for
  expect(told).not.toMatch(/[\u0000-\u001F]/u);
  expect(told.length).toBeLessThan(500);
});

test('a key that stands twice is refused, in JSON as in YAML, however it is written', async () => {
  const one = (fields: string): string => `{"formatVersion":1,"cases":[{"id":"a","input":"b"${fields}}]}`;
  for (const fields of [
    ',"expected":{"skills":"pdf"},"expected":{}',
    ',"files":{"a":"x","\\u0061":"y"}',
    ',"script":{"x":[{"":1},{"":1,"" :2}]}',
    ',"files":{"\\"":"{\\"","\\"":""}',
  ]) {
    expect(await readOrRefuse(one(fields), 'a.json')).toMatch(/stands twice in one object/u);
  }
  for (const fields of [
    ',"tags":["a","b"],"files":{"a":"a","b":"a"}',
    ',"script":{"a":[{"a":{"a":1}},{"a":"\\"a\\":1,"}],"b":{"a":"{\\\\"}}',
  ]) {
    expect(await readOrRefuse(one(fields), 'a.json')).toBe('read');
  }
  for (const files of ['{ 1: a, "1": b }', '{ 0x1: a, 1: b }', '{ null: a, "": b }', '{ a: x, "a": y }']) {
    const yaml = `formatVersion: 1\ncases: [{ id: a, input: b, files: ${files} }]`;
    expect(await readOrRefuse(yaml, 'a.yaml')).toContain('stands twice in one map');
  }
});

test('a tag, a merge key or a key that is no text changes no value in silence', async () => {
  for (const [fields, told] of [
    ['files: { a: !!binary eA== }', 'tag'],
    ['input: !include b.txt', 'tag'],
    ['script: { ? [a, b] : 1 }', 'a key that is no text'],
    ['script: { &x y: 1, ? *x : 2 }', 'a key that is no text'],
    ['<<: { input: c }', 'expected no field “<<”'],
  ] as const) {
    const yaml = `formatVersion: 1\ncases:\n  - { id: a, title: b, ${fields} }\n`;
    expect(await readOrRefuse(yaml, 'a.yaml'), fields).toContain(told);
  }
  expect(await readOrRefuse('formatVersion: 1\ncases: [{ id: !!str 1, input: b }]', 'a.yaml')).toBe('read');
});

test('an id is a text: what YAML takes for something else is refused, and what it takes for a text is one', async () => {
  const idOf = async (id: string): Promise<string> => {
    const suite = parseSuite(`formatVersion: 1\ncases: [{ id: ${id}, input: b }]`, { fileName: 'a.yaml' });
    return suite.then(({ cases }) => cases[0]?.id ?? '', String);
  };
  for (const id of ['1.0', '0x10', '010', '1e3', 'true', '~', '.nan', '12345678901234567890']) {
    expect(await idOf(id), id).toContain('cases.0.id: expected a text, found');
  }
  for (const id of ['yes', 'no', '2026-11-22', 'NaN']) expect(await idOf(id)).toBe(id);
  expect(await idOf('"1.0"')).toBe('1.0');
});

test('names that differ in their normal form only are the same name', async () => {
  const [composed, decomposed] = ['r\u00E9sum\u00E9', 're\u0301sume\u0301'];
  const told = async (fields: object): Promise<string> =>
    readOrRefuse(JSON.stringify({ formatVersion: 1, cases: [{ id: 'a', input: 'b', ...fields }] }), 'a.json');
  const skills = JSON.stringify({ formatVersion: 1, skills: [composed, decomposed], cases: [{ id: 'a', input: 'b' }] });
  expect(await readOrRefuse(skills, 'a.json')).toMatch(/at skills\.1: .*stands there twice/u);
  expect(await told({ tags: [composed, decomposed] })).toContain('stands there twice');
  expect(await told({ expected: { skills: { any_of: composed, none: decomposed } } })).toContain('not to be used');
  const offer = { skills: [composed], preload: [decomposed] };
  expect(await told({ offer, expected: { skills: decomposed } })).toBe('read');
  expect(await told({ offer, expected: { skills: { any_of: [decomposed] } } })).toBe('read');
});

test('a tool that has to be used is held to limits as a run is: * stands for any characters', async () => {
  const told = async (constraints: object, occurs: object = { action: 'call_tool', tool: 'read_file' }) =>
    readOrRefuse(
      JSON.stringify({
        formatVersion: 1,
        cases: [{ id: 'a', input: 'b', constraints, expected: { actions: [{ occurs, atLeast: 2 }] } }],
      }),
      'a.json',
    );
  expect(await told({ allowedTools: ['read_*'] })).toBe('read');
  expect(await told({ allowedTools: ['*_directory'] })).toContain('has to occur');
  expect(await told({ forbiddenTools: ['read_*'] })).toContain('has to occur');
  expect(await told({ forbiddenTools: ['write_*'] })).toBe('read');
  expect(await told({ maxScripts: 1 }, { action: 'run_script' })).toContain('at most the 1 scripts');
  expect(await told({ maxScripts: 2 }, { action: 'run_script' })).toBe('read');
  expect(await told({ maxScripts: 0 })).toBe('read');
});

test('what is no text, or has no name, is refused as a slip of a program', async () => {
  for (const [text, options] of [
    [undefined, { fileName: 'a.yaml' }],
    [5, { fileName: 'a.yaml' }],
    ['formatVersion: 1', {}],
    ['formatVersion: 1', { fileName: 5 }],
  ]) {
    await expect(parseSuite(text as never, options as never)).rejects.toMatchObject({ code: 'USAGE' });
  }
});

test('what a file says of itself is not what it is read with, and what a case says is not what its defaults say', async () => {
  const text = `
formatVersion: 1
name: own
skills: [docx]
defaults:
  tags: [a, b]
  expected: { skills: { any_of: [pdf], others: false }, disclosure: false }
  constraints: { maxTurns: 2, maxCost: 5, allowedTools: [x] }
  offer: { skills: [pdf], distractors: [table], preload: [pdf] }
cases:
  - { id: a, input: b }
  - id: c
    input: d
    tags: []
    expected: { skills: none, disclosure: true }
    constraints: { maxCost: 0 }
    offer: { distractors: [], preload: [] }
`;
  const suite = await parseSuite(text, { fileName: 'a.yaml', name: 'other', skills: ['pdf'] });
  expect(suite).toMatchObject({ name: 'own', skills: ['docx'] });
  const [plain, other] = suite.cases;
  expect(plain).toMatchObject({
    tags: ['a', 'b'],
    expected: { skills: { anyOf: ['pdf'], others: false }, disclosure: false },
    offer: { skills: ['pdf'], distractors: ['table'], preload: ['pdf'] },
  });
  expect(other).toMatchObject({ tags: [], offer: { skills: ['pdf'], distractors: [], preload: [] } });
  expect(other?.expected).toMatchObject({ skills: { none: true }, disclosure: true });
  expect(other?.expected.skills).toEqual({ none: true });
});

test('a check looks at one thing, by a schema that answers at once', async () => {
  const told = async (check: object) =>
    readOrRefuse(
      JSON.stringify({ formatVersion: 1, cases: [{ id: 'a', input: 'b', expected: { output: [check] } }] }),
      'a.json',
    );
  expect(await told({ equals: 'x', of: { turn: 1, file: 'a.txt' } })).toContain('expected either turn or file');
  expect(await told({ json: { $async: true, type: 'object' } })).toContain('there is no “$async” in JSON Schema');
});
