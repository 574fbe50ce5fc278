import { detectFormat, exportSuite, importSuite, parseSuite, formatSuite, type ImportOptions } from '@skillpack/evals';
import { SkillsError } from '@skillpack/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const invalid = expect.objectContaining({ code: 'INVALID_CASE' });

/** What is read of a text, or of a value as JSON. */
async function read(value: unknown, options: Partial<ImportOptions> = {}) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return importSuite(text, { fileName: 'cases.json', skill: 'pdf', ...options });
}

test('PSA-35: a key or an id of the name __proto__ changes no object', async () => {
  const text = '[{"query":"a b c","should_trigger":true,"id":"__proto__","__proto__":{"polluted":1}}]';
  const { suite } = await read(text);
  expect(suite.cases[0]?.id).toMatch(/^case-|^proto/u);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  const yaml = 'pdf: [Rotate it]\n__proto__: [Rotate that]\nconstructor: [Rotate this]\n';
  const lists = await read(yaml, { fileName: 'x.yaml', format: 'trigger-lists' });
  expect(lists.suite.cases.map(({ conversation: [line] }) => line?.input)).toContain('Rotate it');
  expect(Object.getPrototypeOf(lists.suite.cases[0])).toBe(Object.prototype);
});

test('PSA-35: ids that no file could be named by are changed, and noted', async () => {
  const ids = ['con', '../x', 'Größe 1', '', '.', 'x'.repeat(300), 'a', 'A', 7];
  const { suite, notes } = await read(ids.map((id) => ({ id, query: 'Rotate it', should_trigger: true })));
  const got = suite.cases.map(({ id }) => id);
  expect(new Set(got.map((id) => id.toLowerCase())).size).toBe(ids.length);
  expect(got).toEqual(expect.arrayContaining(['Gro-e-1', 'a', 'A-2', '7']));
  expect(notes.filter(({ at }) => at.endsWith('.id')).length).toBeGreaterThan(4);
  expect(await parseSuite(formatSuite(suite), { fileName: 'x.yaml' })).toEqual(suite);
});

test('PSA-35: texts that deceive a terminal are shown as what they are in notes and errors', async () => {
  const { notes } = await read([{ query: 'a b c', should_trigger: true, 'x\u001B[2J': '\u202Eevil\u0007' }]);
  const told = JSON.stringify(notes);
  expect(told).toContain('<U+202E>');
  expect(told).not.toMatch(/\\u001b|\u202E/u);
  await expect(read({ '\u001B[31m': 1 })).rejects.toThrow('<U+001B>');
});

test('PSA-35: what is too deep, too long, cut off or says too much by aliases is refused', async () => {
  const bomb = `a: &a [${'x,'.repeat(50)}]\n${Array.from({ length: 9 }, (_, at) => `b${at}: &b${at} [${'*a,'.repeat(20)}]`).join('\n')}\n`;
  const texts: readonly (readonly [text: string, fileName: string])[] = [
    ['['.repeat(100_000), 'x.json'],
    ['['.repeat(5_000), 'x.yaml'],
    [' '.repeat(5 * 1024 * 1024), 'x.json'],
    ['[{"query":', 'x.json'],
    ['{"a":1}\n{"a":', 'x.jsonl'],
    ['a,b\n"x', 'x.csv'],
    [bomb, 'x.yaml'],
    ['a: 1\na: 2\n', 'x.yaml'],
    ['', 'x.yaml'],
    ['null', 'x.json'],
    ['42', 'x.json'],
    ['[]', 'x.json'],
  ];
  for (const [text, fileName] of texts) {
    await expect(importSuite(text, { fileName, skill: 'pdf' }), `${fileName}: ${text.slice(0, 40)}`).rejects.toEqual(
      invalid,
    );
    expect(detectFormat(text, { fileName })).toBeUndefined();
  }
});

test('PSA-35: templates, patterns and tables of any text take time that grows with their lengths', async () => {
  const texts = [
    '{{'.repeat(50_000),
    '{% raw %}'.repeat(10_000),
    `{{${' '.repeat(90_000)}`,
    `{{${'a.'.repeat(40_000)}`,
    '(a+)+$'.repeat(9),
  ];
  const begun = performance.now();
  for (const text of texts) {
    await read({
      prompts: ['{{q}}'],
      tests: [
        {
          vars: { q: text },
          assert: [
            { type: 'regex', value: text },
            { type: 'contains', value: text.slice(0, 9_000) },
          ],
        },
      ],
    });
  }
  await read(`query,should_trigger\n${'"a""b",true\n'.repeat(9_000)}`, { fileName: 'x.csv' });
  await read(`query,should_trigger\n"${'""'.repeat(400_000)}",true\nb c,false\n`, { fileName: 'x.csv' });
  // Quadratic, it would be minutes.
  expect(performance.now() - begun).toBeLessThan(20_000);
});

test('PSA-35: variables that come to too many cases are refused before they are made', async () => {
  const vars = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`v${at}`, Array.from({ length: 10 }, (_unused, value) => value)]),
  );
  await expect(read({ prompts: ['{{v0}}'], tests: [{ vars, assert: [] }] })).rejects.toEqual(invalid);
});

test('PSA-35: no file is asked for by a path that leads out, and what a disk refuses is not passed off as a missing file', async () => {
  const asked: string[] = [];
  const files = {
    read(path: string) {
      asked.push(path);
      return Promise.reject(new SkillsError('IO_ERROR', 'The disk is gone.'));
    },
  };
  const task = (file: string) => ({
    skill_name: 'pdf',
    evals: [{ id: 1, prompt: 'Read', assertions: ['x'], files: [file] }],
  });
  for (const path of ['../secret', '/etc/passwd', 'a/../../b', 'C:\\x', 'a\u0000b', '..']) {
    const { notes } = await read(task(path), { files });
    expect(notes.map(({ at }) => at)).toContain('evals.0.files.0');
  }
  const vars = { q: 'Read {{f}}', f: 'file://../secret.txt' };
  await read({ prompts: ['{{q}}', 'file:///etc/passwd'], tests: [{ vars }] }, { files });
  expect(asked).toEqual([]);
  await expect(read(task('a.txt'), { files })).rejects.toEqual(expect.objectContaining({ code: 'IO_ERROR' }));
  expect(asked).toEqual(['a.txt']);
});

test('PSA-35: options with a slip, and formats that there are not, are refused with the nearest', async () => {
  await expect(read([], { skil: 'pdf' } as Partial<ImportOptions>)).rejects.toEqual(
    expect.objectContaining({ code: 'USAGE' }),
  );
  const wrong = read([], { format: 'promptfo' as 'promptfoo' });
  await expect(wrong).rejects.toEqual(expect.objectContaining({ code: 'USAGE' }));
  const suite = { name: 'x', skills: [], cases: [] };
  expect(() => exportSuite(suite, 'xml' as 'adk')).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('PSA-35: a file of which no case can be taken over says why', async () => {
  await expect(read([{ query: '  ', should_trigger: true }])).rejects.toThrow('An entry without a query is no case');
  await expect(read({ criteria: { response_match_score: 0.8 } })).rejects.toThrow(
    'the cases are in the evalset beside it',
  );
});

test('PSA-35: a file in our own format is read as it is', async () => {
  const text =
    'formatVersion: 1\nname: own\ncases:\n  - id: a\n    kind: trigger\n    input: Rotate it\n    expected: { skills: pdf }\n';
  const { format, suite, notes } = await read(text, { fileName: 'own.yaml' });
  expect({ format, name: suite.name, skills: suite.skills, notes }).toEqual({
    format: 'skillpack',
    name: 'own',
    skills: ['pdf'],
    notes: [],
  });
});

test('PSA-35: of any JSON, an import gives a suite that can be run, or one of the errors that it names', async () => {
  const words = fc.constantFrom(
    ...'query prompt should_trigger expected evals queries tests vars assert type value contains skill-used eval_cases conversation user_content parts text id skill_name pdf trajectory:tool-sequence steps mode exact kind trigger positive assertions expectations files prompts llm-rubric'.split(
      ' ',
    ),
    true,
    false,
    null,
    3,
  );
  const { node } = fc.letrec<{ node: unknown; list: unknown; map: unknown }>((tie) => ({
    node: fc.oneof({ maxDepth: 6, withCrossShrink: true }, words, tie('map'), tie('list')),
    list: fc.array(tie('node'), { maxLength: 4 }),
    map: fc.dictionary(words.map(String), tie('node'), { maxKeys: 6, noNullPrototype: true }),
  }));
  // A case that could be one, with anything in it.
  const base = fc.constantFrom<object>(
    { query: 'Rotate it', should_trigger: true },
    { prompt: 'Rotate it', assertions: ['It is turned'] },
    { vars: { q: 'Rotate it' }, assert: [{ type: 'contains', value: 'it' }] },
    { eval_id: 'a', conversation: [{ user_content: { parts: [{ text: 'Rotate it' }] } }] },
    { query: 'Rotate it', expected_tool_use: [{ tool_name: 'turn', tool_input: { by: 90 } }], reference: 'Turned' },
  );
  const more = fc.dictionary(words.map(String), node, { maxKeys: 4, noNullPrototype: true });
  const entry = fc.tuple(base, more).map(([left, right]) => ({ ...right, ...left }));
  const list = fc.array(fc.oneof({ weight: 4, arbitrary: entry }, node), { minLength: 1, maxLength: 4 });
  const wrapped = fc.tuple(fc.constantFrom('queries', 'evals', 'tests', 'eval_cases', 'cases'), list, more);
  const whole = fc.oneof(
    node,
    list,
    wrapped.map(([name, entries, rest]) => ({ ...rest, [name]: entries })),
  );
  let suites = 0;
  await fc.assert(
    fc.asyncProperty(whole, async (value) => {
      try {
        const { suite } = await read(value);
        suites += 1;
        expect(await parseSuite(formatSuite(suite), { fileName: 'x.yaml' })).toEqual(suite);
        for (const format of ['agentskills', 'skill-creator', 'trigger-list', 'promptfoo', 'adk'] as const)
          exportSuite(suite, format);
      } catch (error) {
        if (!SkillsError.is(error)) throw error;
        expect(['INVALID_CASE', 'UNSUPPORTED_FORMAT']).toContain(error.code);
      }
    }),
    { numRuns: 3_000 },
  );
  expect(suites).toBeGreaterThan(500);
});
