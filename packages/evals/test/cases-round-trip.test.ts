import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { agentActionKinds, SkillsError, type JsonObject } from '@skillpack/core';
import { expect, test } from 'vitest';
import { checkSuite } from '../src/case/check-suite.js';
import type { EvalCase, EvalSuite } from '../src/case/eval-case.js';
import type { ActionRule, OutputCheck, OutputOf, StepPattern } from '../src/case/expectations.js';
import { formatSuite } from '../src/case/format-suite.js';
import { parseSuite } from '../src/case/parse-suite.js';
import { readYaml } from '../src/formats/read-yaml.js';

const text = (longest: number) =>
  fc
    .oneof(
      fc.string({ minLength: 1, maxLength: longest }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: longest }),
      fc.constantFrom(
        'none',
        'yes',
        'null',
        '~',
        '012',
        '1_000',
        '0o7',
        '.inf',
        '- a',
        '# a',
        'a: b',
        '&a',
        '*a',
        '!!a',
        '%a',
        '---',
        '...',
        '|',
        '>-',
        ' a',
        'a ',
        'a\n',
        '\na\n\n',
        'a\tb',
        '\ta',
        '"',
        "'",
        '\\',
        'a\r\nb',
        '\u0085',
        '\u2028',
        '\uFEFFa',
        '\0',
        '\u001B[31m',
        '{',
        '[a',
        '<<',
        '__proto__',
        'Füllen Sie 表格 aus 🧑‍🤝‍🧑',
        '2026-11-22',
        '1e3',
        'a #b',
        '=',
        '@',
        '`',
      ),
    )
    .filter((each) => each.isWellFormed());

const name = fc.constantFrom('pdf', 'docx', 'table', 'none', 'org/pdf', 'release-notes', 'Größe');
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 3 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const path = fc.constantFrom('a.txt', 'files/report.pdf', 'a b/ü.md', '表.csv', 'deep/er/and/deeper.json');

const plainJson = fc
  .jsonValue({ maxDepth: 3 })
  // The text of −0 is that of 0, as is what a key is made of.
  .map(
    (value) =>
      JSON.parse(
        JSON.stringify(value, (key, inner: unknown) => (inner === 0 ? 0 : key === '__proto__' ? undefined : inner)) ??
          'null',
      ) as unknown,
  );
const jsonObject = fc
  .dictionary(
    fc.string({ minLength: 1, maxLength: 8 }).filter((key) => key !== '__proto__'),
    plainJson,
    { maxKeys: 3 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject)
  .filter(
    (value) =>
      !JSON.stringify(value).includes('__proto__') &&
      JSON.stringify(value).isWellFormed() &&
      !/\\ud[89a-f]/iu.test(JSON.stringify(value)),
  );

const step: fc.Arbitrary<StepPattern> = fc.oneof(
  fc.record({ action: fc.constantFrom(...agentActionKinds, 'approval' as const), ok: maybe(fc.boolean()) }),
  fc.record({
    action: fc.constantFrom('call_tool' as const, 'approval' as const, undefined),
    tool: name,
    skill: maybe(name),
    input: maybe(jsonObject),
    ok: maybe(fc.boolean()),
  }),
  fc.record({
    action: fc.constant('run_script' as const),
    path: maybe(path),
    args: maybe(fc.array(text(10), { minLength: 1, maxLength: 3 })),
  }),
);

const rule: fc.Arbitrary<ActionRule> = fc.oneof(
  fc.record({ kind: fc.constant('occurs' as const), step, atLeast: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('forbidden' as const), step }),
  fc.record({ kind: fc.constant('at_most' as const), step, most: fc.integer({ min: 1, max: 5 }) }),
  // eslint-disable-next-line unicorn/no-thenable -- it is no function
  fc.record({ kind: fc.constant('before' as const), first: step, then: step }),
  fc.record({
    kind: fc.constant('sequence' as const),
    mode: fc.constantFrom('in_order' as const, 'any_order' as const, 'exact' as const),
    steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  }),
);

const of: fc.Arbitrary<OutputOf> = fc.oneof(
  fc.record({ kind: fc.constant('answer' as const), turn: maybe(fc.constant(1)) }),
  fc.record({ kind: fc.constant('file' as const), path }),
);

const about = { negated: fc.boolean(), text: maybe(text(20)) };
const caseless = fc.boolean();
const output: fc.Arbitrary<OutputCheck> = fc.oneof(
  fc.record({
    kind: fc.constant('contains' as const),
    of,
    texts: fc.array(text(20), { minLength: 1, maxLength: 3 }),
    mode: fc.constantFrom('all' as const, 'any' as const),
    caseless,
    ...about,
  }),
  fc.record({
    kind: fc.constant('equals' as const),
    of,
    value: fc.oneof(text(40), fc.constant('')),
    caseless,
    ...about,
  }),
  fc.record({ kind: fc.constant('starts_with' as const), of, value: text(20), caseless, ...about }),
  fc.record({
    kind: fc.constant('regex' as const),
    of,
    pattern: fc.constantFrom('a+b*', String.raw`^\d{4}-\d\d$`, '(?<x>ü|表)'),
    flags: fc.constantFrom('', 'i', 'ms', 'imsu'),
    ...about,
  }),
  fc.record({
    kind: fc.constant('json' as const),
    of,
    schema: maybe(
      fc.constant<JsonObject>({ type: 'object', required: ['a'], properties: { a: { enum: [null, 1, 'x'] } } }),
    ),
    within: fc.boolean(),
    ...about,
  }),
  fc.record({
    kind: fc.constant('words' as const),
    of,
    least: fc.integer({ min: 0, max: 5 }),
    most: maybe(fc.integer({ min: 5, max: 9 })),
    ...about,
  }),
  fc.record({
    kind: fc.constant('similar' as const),
    of,
    reference: text(40),
    least: fc.constantFrom(0, 0.25, 1),
    ...about,
  }),
  fc.record({ kind: fc.constant('file' as const), path, ...about }),
  fc.record({
    kind: fc.constant('script' as const),
    script: path,
    args: fc.array(text(10), { maxLength: 2 }),
    ...about,
  }),
  fc.record({ kind: fc.constant('rubric' as const), statement: text(40), ...about }),
);

const file = fc.record({
  path,
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    text(40).map((each) => new TextEncoder().encode(each)),
  ),
});

const evalCase: fc.Arbitrary<EvalCase> = fc.record({
  id: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,20}$/u),
  kind: fc.constant('task' as const),
  title: maybe(text(30)),
  tags: fc.uniqueArray(fc.constantFrom('near-miss', 'slow', '表'), { maxLength: 2 }),
  conversation: fc.array(fc.record({ input: text(60) }), { minLength: 1, maxLength: 3 }),
  files: fc.uniqueArray(file, { maxLength: 3, selector: (each) => each.path }),
  offer: fc.record({
    skills: fc.constant(undefined),
    distractors: fc.uniqueArray(name, { maxLength: 2 }),
    preload: fc.uniqueArray(name, { maxLength: 2 }),
  }),
  expected: fc.record({
    skills: fc.oneof(
      fc.constant(undefined),
      fc.record({ none: fc.constant(true as const), others: maybe(fc.boolean()) }),
      fc.record({ allOf: names, others: maybe(fc.boolean()) }),
      fc.record({ anyOf: names, allOf: maybe(names) }),
      fc.record({ none: names }),
    ),
    actions: fc.array(rule, { maxLength: 3 }),
    output: fc.array(output, { maxLength: 3 }),
    disclosure: fc.boolean(),
    approvals: fc.boolean(),
  }),
  limits: fc.record(
    {
      maxTurns: fc.integer({ min: 1, max: 99 }),
      maxToolCalls: fc.integer({ min: 0, max: 99 }),
      maxCost: fc.constantFrom(0, 0.001, 5),
      maxSeconds: fc.constantFrom(0.5, 600),
      allowedTools: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      forbiddenTools: fc.uniqueArray(fc.constantFrom('c', 'd'), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  ),
  trials: maybe(fc.integer({ min: 1, max: 9 })),
  script: maybe(jsonObject),
});

const suite: fc.Arbitrary<EvalSuite> = fc.record({
  name: fc.constantFrom('a', 'pdf-tasks', 'x.y_z'),
  skills: fc.uniqueArray(name, { maxLength: 2 }),
  cases: fc.uniqueArray(evalCase, { minLength: 1, maxLength: 4, selector: (each) => each.id.toLowerCase() }),
});

const schemaFile = new URL('../schemas/eval-suite.schema.json', import.meta.url);
const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(schemaFile, 'utf8')) as AnySchema);

test('PSA-35: a suite that was written is read as the same suite, byte for byte, and follows the published schema', async () => {
  let written = 0;
  await fc.assert(
    fc.asyncProperty(suite, async (each) => {
      // What cannot be fulfilled is told by both, and is no matter of writing.
      if (!isSound(each)) return;
      written += 1;
      const yaml = formatSuite(each);
      expect(await parseSuite(yaml, { fileName: 'a.yaml' })).toEqual(each);
      expect([validate(readYaml(yaml)), validate.errors]).toEqual([true, null]);
      // The disk has bytes.
      expect(new TextDecoder().decode(new TextEncoder().encode(yaml))).toBe(yaml);
    }),
    { numRuns: 300 },
  );
  expect(written).toBeGreaterThan(100);
});

test('what cannot be read again is not written', () => {
  const broken: EvalSuite = { name: 'a', skills: [], cases: [] };
  expect(() => formatSuite(broken)).toThrow(expect.objectContaining({ code: 'INVALID_CASE' }));
  fc.assert(
    fc.property(suite, fc.string({ unit: 'binary' }), (each, id) => {
      const [first, ...rest] = each.cases;
      if (first === undefined) return;
      const renamed: EvalSuite = { ...each, cases: [{ ...first, id }, ...rest] };
      try {
        formatSuite(renamed);
      } catch (error) {
        expect(SkillsError.is(error, 'INVALID_CASE'), String(error)).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});

test('a suite whose text is too long for YAML is written as JSON, and read by the same name', async () => {
  const cases = Array.from({ length: 30 }, (_, index) => `case-${index}`).map((id) =>
    caseOf(id, 'word '.repeat(15_000)),
  );
  const large: EvalSuite = { name: 'large', skills: ['pdf'], cases };
  const written = formatSuite(large);
  expect(written.startsWith('{"formatVersion":1')).toBe(true);
  expect(await parseSuite(written, { fileName: 'large.yaml' })).toEqual(large);
});

test('a suite whose files do not go into one text is refused, with what to do', () => {
  const bytes = new Uint8Array(9 * 1024 * 1024);
  const cases = ['a', 'b'].map((id) => ({ ...caseOf(id, 'x'), files: [{ path: 'a.bin', bytes }] }));
  expect(() => formatSuite({ name: 'a', skills: [], cases })).toThrow('take them by from');
});

function caseOf(id: string, input: string): EvalCase {
  return {
    id,
    kind: 'task',
    tags: [],
    conversation: [{ input }],
    files: [],
    offer: { distractors: [], preload: [] },
    expected: { actions: [], output: [], disclosure: true, approvals: true },
    limits: {},
  };
}

function isSound(each: EvalSuite): boolean {
  try {
    checkSuite(each);
    return true;
  } catch (error) {
    expect(SkillsError.is(error, 'INVALID_CASE'), String(error)).toBe(true);
    return false;
  }
}
