import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import {
  checkOutput,
  type CheckPorts,
  type CheckResult,
  type EvalWorkspace,
  type OutputCheck,
  type OutputOf,
} from '../src/index.js';

const answer: OutputOf = { kind: 'answer' };
const { signal } = new AbortController();

/** A workspace in memory, which refuses as one on a disk does. */
function workspaceOf(files: Readonly<Record<string, string | Uint8Array>>): EvalWorkspace {
  const all = new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? new TextEncoder().encode(content) : content,
    ]),
  );
  return {
    path: '/workspace',
    files: async () => [...all].map(([path, { length }]) => ({ path, size: length })),
    read: async (path, { maxBytes }) => {
      if (path.includes('..')) throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `${path} leads out.`);
      const bytes = all.get(path);
      if (bytes === undefined) throw new SkillsError('FILE_NOT_FOUND', `There is no ${path}.`);
      if (bytes.length > maxBytes) throw new SkillsError('FILE_TOO_LARGE', `${path} has ${bytes.length} bytes.`);
      return bytes;
    },
  };
}

async function check(one: OutputCheck, text: string, ports: CheckPorts = {}): Promise<CheckResult> {
  const { checks } = await checkOutput([one], { task: ['Do it.'], answers: ['first', text] }, { ...ports, signal });
  const [result] = checks;
  if (result === undefined) throw new Error('A check has a result.');
  return result;
}

async function verdict(one: OutputCheck, text: string, ports?: CheckPorts): Promise<string> {
  return (await check(one, text, ports)).verdict;
}

const contains = (texts: readonly string[], more: Partial<OutputCheck & { kind: 'contains' }> = {}): OutputCheck => ({
  kind: 'contains',
  of: answer,
  texts,
  mode: 'all',
  caseless: false,
  negated: false,
  ...more,
});
const regex = (pattern: string, flags = ''): OutputCheck => ({
  kind: 'regex',
  of: answer,
  pattern,
  flags,
  negated: false,
});
const json = (schema?: (OutputCheck & { kind: 'json' })['schema'], within = false): OutputCheck => ({
  kind: 'json',
  of: answer,
  schema,
  within,
  negated: false,
});

test('PSA-36: an output contains some texts, or one of them, or none', async () => {
  expect(await verdict(contains(['3', 'pages']), 'It has 3 pages.')).toBe('passed');
  expect(await check(contains(['3', 'Pages']), 'It has 3 pages.')).toEqual({
    kind: 'output',
    text: 'the answer contains "3" and "Pages"',
    verdict: 'failed',
    evidence: 'It has "3": It has 3 pages.\nIt lacks "Pages".',
  });
  expect(await verdict(contains(['3', 'Pages'], { caseless: true }), 'It has 3 PAGES.')).toBe('passed');
  expect(await verdict(contains(['4', '3'], { mode: 'any' }), 'It has 3 pages.')).toBe('passed');
  expect(await verdict(contains(['4', '3'], { mode: 'any', negated: true }), 'It has 3 pages.')).toBe('failed');
  expect(await verdict(contains(['é'], { caseless: true }), 'CAFE\u0301')).toBe('passed');
});

test('PSA-36: an output is a text, or begins with one', async () => {
  const equals: OutputCheck = { kind: 'equals', of: answer, value: '42', caseless: false, negated: false };
  expect(await verdict(equals, '42')).toBe('passed');
  expect(await verdict(equals, '42 ')).toBe('failed');
  const begins: OutputCheck = { kind: 'starts_with', of: answer, value: 'yes', caseless: true, negated: false };
  expect(await verdict(begins, 'Yes, it does.')).toBe('passed');
  expect(await verdict({ ...begins, caseless: false }, 'Yes, it does.')).toBe('failed');
  const first: OutputCheck = { ...equals, of: { kind: 'answer', turn: 1 }, value: 'first' };
  expect(await verdict(first, '42')).toBe('passed');
  const third = { ...first, of: { kind: 'answer', turn: 3 } } as const;
  // Of what is not there, nothing holds, and nothing negated either.
  expect(await check(third, '42')).toMatchObject({ verdict: 'failed', evidence: 'There is no answer to line 3.' });
  expect(await verdict({ ...third, negated: true }, '42')).toBe('failed');
});

test('PSA-36: an output matches a pattern, in time that grows with its length alone', async () => {
  expect(await check(regex('[0-9]+ pages'), 'It has 31 pages.')).toMatchObject({
    verdict: 'passed',
    evidence: 'It has "31 pages"',
  });
  expect(await verdict(regex('^IT', 'i'), 'It has 31 pages.')).toBe('passed');
  expect(await verdict(regex('(a+)+$'), `${'a'.repeat(50_000)}b`)).toBe('failed');
  expect(await check(regex('(?=x)'), 'x')).toMatchObject({
    verdict: 'not_judged',
    evidence: expect.stringContaining('cannot be used'),
  });
  const large = '[a-z]{900}'.repeat(99);
  expect(await check(regex(large), 'a'.repeat(1_000_000))).toMatchObject({
    verdict: 'not_judged',
    evidence: expect.stringMatching(/^It has 1000000 characters, and the pattern is too large for that/u),
  });
  expect(await verdict(regex(large), 'a'.repeat(1_000))).toBe('failed');
  expect(await verdict(regex('(a+)+$', 's'), `${'a'.repeat(4_000_000)}b`)).toBe('failed');
});

test('PSA-36: an output is JSON that follows a schema, or has some in it', async () => {
  const schema = {
    type: 'object',
    properties: { pages: { type: 'integer', minimum: 1 }, name: { type: 'string', pattern: '\\.pdf$' } },
    required: ['pages'],
  };
  expect(await verdict(json(), '[1, 2]')).toBe('passed');
  expect(await verdict(json(), 'three')).toBe('failed');
  expect(await verdict(json(schema), '{"pages":3,"name":"a.pdf"}')).toBe('passed');
  const wrong = await check(json(schema), '{"pages":3,"name":"a.txt"}');
  expect(wrong.verdict).toBe('failed');
  expect(wrong.evidence).toContain('/name must match pattern');
  expect(await verdict(json(schema), 'Here: {"pages":3}')).toBe('failed');
  expect(await verdict(json(schema, true), 'Not [this], but ```{"pages":3, "note":"a } in it"}``` it is.')).toBe(
    'passed',
  );
  expect(await verdict(json(schema, true), '{"pages":0} or {"pages":')).toBe('failed');
  expect((await check(json(schema, true), '{"pages":0} or {"pages":"x"}')).evidence).toContain('/pages must be >= 1');
  expect(await verdict(json(schema, true), 'So: {"note":"a \\" and a }","pages":3}.')).toBe('passed');
  const many = (count: number): string => '{"pages":0} '.repeat(count);
  expect(await verdict(json(schema, true), `${many(99)}{"pages":1}`)).toBe('passed');
  expect(await verdict(json(schema, true), `${many(100)}{"pages":1}`)).toBe('failed');
  expect(await verdict(json({ required: ['constructor'] }), '{}')).toBe('failed');
  expect(await check(json({ $ref: 'https://example.com/schema.json' }), '{}')).toMatchObject({
    verdict: 'not_judged',
    evidence: expect.stringContaining('schema cannot be used'),
  });
  // Brackets that never close are looked at in bounded time.
  expect(await verdict(json(undefined, true), '['.repeat(200_000))).toBe('failed');
});

test('PSA-36: a schema that would take hours is not used, and one that refers to itself is', async () => {
  const chain = (length: number) => ({
    $defs: Object.fromEntries(
      Array.from({ length }, (_, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, at + 1 === length ? { type: 'object' } : { allOf: [next, next] }];
      }),
    ),
    $ref: '#/$defs/d0',
  });
  expect(await verdict(json(chain(8)), '{}')).toBe('passed');
  expect(await check(json(chain(40)), '{}')).toMatchObject({
    verdict: 'not_judged',
    evidence: expect.stringMatching(/takes more than \d+ steps/u),
  });
  const tree = {
    type: 'object',
    properties: { left: { $ref: '#' }, right: { $ref: '#' } },
    additionalProperties: false,
  };
  expect(await verdict(json(tree), '{"left":{"left":{},"right":{}}}')).toBe('passed');
  expect(await verdict(json(tree), '{"left":{"middle":{}}}')).toBe('failed');
  const unique = { type: 'array', uniqueItems: true };
  const items = (length: number): string => JSON.stringify(Array.from({ length }, (_, at) => ({ at })));
  expect(await verdict(json(unique), items(500))).toBe('passed');
  expect(await verdict(json(unique), '[1, 1]')).toBe('failed');
  expect(await verdict(json(unique), items(20_000))).toBe('passed');
  expect(await verdict(json(unique), '[{"a":1,"b":[0]},{"b":[0],"a":1.0}]')).toBe('failed');
  expect(await verdict(json(unique), '[{"a":1},{"a":"1"},["a",1],1,"1",null,"null",true]')).toBe('passed');
  expect(await verdict(json({ uniqueItems: false }), '[1, 1]')).toBe('passed');
});

test('PSA-36: a schema that refers to itself twice is not judged where that takes too long, and is where it does not', async () => {
  const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const next = { properties: { a: { $ref: '#' } } };
  for (const twice of [
    { allOf: [next, next] },
    { anyOf: [{ allOf: [next, false] }, { allOf: [next, false] }, true] },
    { $dynamicAnchor: 'x', allOf: [1, 2].map(() => ({ properties: { a: { $dynamicRef: '#x' } } })) },
    { allOf: [next, { properties: { a: { $ref: '#/allOf/0' } } }, next] },
  ]) {
    expect(await verdict(json(twice), nested(10))).toBe('passed');
    const started = performance.now();
    expect(await check(json(twice), nested(60))).toMatchObject({
      verdict: 'not_judged',
      evidence: expect.stringMatching(/^It cannot be held to the schema: it takes more than \d+ steps\.$/u),
    });
    // By itself it would take longer than anything lasts.
    expect(performance.now() - started).toBeLessThan(20_000);
  }
  const list = { type: 'array', items: { $ref: '#/$defs/row' }, $defs: { row: { required: ['at'] } } };
  expect(await verdict(json(list), JSON.stringify(Array.from({ length: 50_000 }, (_, at) => ({ at }))))).toBe('passed');
  const slow = { items: { pattern: '(a{1,30}){1,30}$' } };
  expect(await verdict(json(slow), JSON.stringify(['a'.repeat(1_000)]))).toBe('passed');
  expect(await verdict(json(slow), JSON.stringify(['a'.repeat(900_000)]))).toBe('not_judged');
});

test('PSA-36: JSON of so many levels that nothing can walk through it is not judged, and breaks nothing', async () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  for (const one of [json(), json({ items: { $ref: '#' } }), json(undefined, true)]) {
    expect(await verdict(one, nested(200))).toBe('passed');
    expect(await check(one, nested(400_000))).toMatchObject({
      verdict: 'not_judged',
      evidence: 'Its JSON is nested deeper than 256 levels.',
    });
    expect(await verdict({ ...one, negated: true }, nested(400_000))).toBe('not_judged');
  }
  expect(await check(json({ $ref: '#' }), '1')).toMatchObject({ verdict: 'not_judged' });
  expect(await check(json(), `"${'x'.repeat(1_048_576)}"`)).toMatchObject({
    verdict: 'not_judged',
    evidence: 'It has 1048578 characters; at most 1048576 are read as JSON.',
  });
});

test('PSA-36: words are counted in any script', async () => {
  const words = (least?: number, most?: number): OutputCheck => ({
    kind: 'words',
    of: answer,
    least,
    most,
    negated: false,
  });
  expect(await check(words(1, 3), 'It has three pages.')).toMatchObject({
    verdict: 'failed',
    evidence: 'It has 4 words.',
  });
  expect(await verdict(words(4), 'It has three pages.')).toBe('passed');
  expect(await check(words(2), '这是一个测试')).toMatchObject({ verdict: 'passed' });
  expect(await check(words(undefined, 0), ' … ')).toMatchObject({ verdict: 'passed', evidence: 'It has 0 words.' });
});

// Sentences of Lin (2004), with "police killed the gunman" as the reference. Both that it compares with that have three
// of its four words.
test.for([
  ['police kill the gunman', 0.75],
  ['the gunman kill police', 0.75],
  ['Police killed the gunman.', 1],
  ['police police police', 0.25],
  ['', 0],
] as const)('PSA-36: the words of a reference are found again: %s', async ([text, recall]) => {
  const similar = (least: number): OutputCheck => ({
    kind: 'similar',
    of: answer,
    reference: 'police killed the gunman',
    least,
    negated: false,
  });
  const result = await check(similar(recall), text);
  expect(result.verdict).toBe('passed');
  expect(result.evidence).toContain(`ROUGE-1 recall is ${recall.toFixed(3)}.`);
  expect(await verdict(similar(recall + 0.01), text)).toBe('failed');
  expect(await verdict({ ...similar(1), reference: ' … ' } as OutputCheck, text)).toBe('passed');
});

test('PSA-36: a file is there, and is what it should be', async () => {
  const workspace = workspaceOf({ 'out/report.txt': '3 pages', 'big.bin': new Uint8Array(5_000_000) });
  const file = (path: string, negated = false): OutputCheck => ({ kind: 'file', path, negated });
  expect(await verdict(file('out/report.txt'), '', { workspace })).toBe('passed');
  expect(await verdict(file('./out//report.txt'), '', { workspace })).toBe('passed');
  expect(await check(file('report.txt'), '', { workspace })).toMatchObject({
    verdict: 'failed',
    evidence: 'There is out/report.txt, big.bin.',
  });
  expect(await verdict(file('report.txt', true), '', { workspace })).toBe('passed');
  expect(await verdict(file('report.txt'), '')).toBe('not_judged');
  const inFile = (path: string, negated = false): OutputCheck =>
    contains(['3'], { of: { kind: 'file', path }, negated });
  expect(await verdict(inFile('out/report.txt'), '', { workspace })).toBe('passed');
  expect(await verdict(inFile('none.txt', true), '', { workspace })).toBe('failed');
  expect(await verdict(inFile('../secret'), '', { workspace })).toBe('not_judged');
  expect(await verdict(inFile('big.bin'), '', { workspace })).toBe('not_judged');
});

test('PSA-36: a script of the suite says whether it is right; one that cannot be run says nothing', async () => {
  const one: OutputCheck = { kind: 'script', script: 'evals/check.mjs', args: ['--strict'], negated: false };
  const asked: unknown[] = [];
  const runCheck: CheckPorts['runCheck'] = async (request) => {
    asked.push(request);
    return { exitCode: 1, output: 'Row 3 is wrong.\u001B[2J' };
  };
  expect(await check(one, 'the answer', { runCheck })).toEqual({
    kind: 'output',
    text: 'evals/check.mjs --strict ends with 0',
    verdict: 'failed',
    evidence: 'It ended with exit code 1.\nRow 3 is wrong.<U+001B>[2J',
  });
  expect(asked).toEqual([{ script: 'evals/check.mjs', args: ['--strict'], answer: 'the answer' }]);
  expect(await verdict(one, '')).toBe('not_judged');
  const missing: CheckPorts['runCheck'] = async () => {
    throw new SkillsError('FILE_NOT_FOUND', 'There is no evals/check.mjs.');
  };
  expect(await check(one, '', { runCheck: missing })).toMatchObject({
    verdict: 'not_judged',
    evidence: 'It could not be run: There is no evals/check.mjs.',
  });
  const killed: CheckPorts['runCheck'] = async () => ({ exitCode: undefined, output: ' ' });
  expect(await check(one, '', { runCheck: killed })).toMatchObject({
    verdict: 'failed',
    evidence: 'It was ended by a signal.',
  });
  const stopped: CheckPorts['runCheck'] = async () => {
    throw new SkillsError('INTERRUPTED', 'It was cancelled.');
  };
  await expect(check(one, '', { runCheck: stopped })).rejects.toMatchObject({ code: 'INTERRUPTED' });
  const slip: CheckPorts['runCheck'] = async () => {
    throw new TypeError('a slip');
  };
  await expect(check(one, '', { runCheck: slip })).rejects.toThrow(TypeError);
  const cancelled = AbortSignal.abort();
  await expect(checkOutput([one], { task: [], answers: [] }, { runCheck, signal: cancelled })).rejects.toSatisfy(
    (error) => SkillsError.is(error, 'INTERRUPTED'),
  );
});

test('PSA-36: results stand in the order of the case, and say in words what was asked for', async () => {
  const checks: readonly OutputCheck[] = [
    { kind: 'rubric', statement: 'It is polite.', negated: false },
    contains(['3']),
    { kind: 'rubric', statement: 'It is rude.', negated: true },
    { ...regex('\u202E'), text: 'has \u202E nothing hidden', negated: true },
  ];
  const asked: (readonly string[])[] = [];
  const judge = {
    name: 'two',
    judge: async ({ statements }: { readonly statements: readonly string[] }) => {
      asked.push(statements);
      return {
        verdicts: statements.map(() => ({ passed: true, evidence: 'So it is.' })),
        spent: { calls: 1, inputTokens: 5, outputTokens: 1, cost: 0.5 },
      };
    },
  };
  const result = await checkOutput(checks, { task: ['Do it.'], answers: ['3'] }, { judge, signal });
  expect(result.checks.map(({ kind, text, verdict: said }) => [kind, text, said])).toEqual([
    ['rubric', 'It is polite.', 'passed'],
    ['output', 'the answer contains "3"', 'passed'],
    ['rubric', 'not so: It is rude.', 'failed'],
    ['output', 'has <U+202E> nothing hidden', 'passed'],
  ]);
  expect(asked).toEqual([['It is polite.', 'It is rude.']]);
  expect(result.judge).toEqual({ calls: 1, inputTokens: 5, outputTokens: 1, cost: 0.5 });
  const unjudged = await checkOutput(checks, { task: ['Do it.'], answers: ['3'] }, { signal });
  expect(unjudged.checks.map((one) => one.verdict)).toEqual(['not_judged', 'passed', 'not_judged', 'passed']);
  expect(unjudged.judge).toBeUndefined();
});

test('what a check says has an end, and no half of a character', async () => {
  const runCheck: CheckPorts['runCheck'] = async () => ({ exitCode: 0, output: '\u202E'.repeat(1_400) });
  const one: OutputCheck = { kind: 'script', script: 'a.mjs', args: [], negated: false };
  const { evidence } = await check({ ...one, text: 'y'.repeat(3_000) }, '', { runCheck });
  expect(evidence).toHaveLength(2_000);
  expect(evidence.endsWith('…')).toBe(true);
  expect((await check({ ...one, text: '😀'.repeat(1_000) }, '', { runCheck })).text).toBe(`${'😀'.repeat(499)}…`);
});

test('a judge is shown the text files that the agent left, and has to say something of each statement', async () => {
  const workspace = workspaceOf({
    'a.txt': 'three',
    'image.png': new Uint8Array([0, 1, 2]),
    'broken.txt': new Uint8Array([0xff, 0xfe]),
    'long.txt': 'x'.repeat(20_000),
    'huge.txt': 'x'.repeat(1_100_000),
    'given.txt': 'was there before',
  });
  const left = ['a.txt', 'image.png', 'broken.txt', 'gone.txt', 'long.txt', 'huge.txt'].map((path) => ({
    path,
    size: 1,
  }));
  const shown: (readonly [string, number])[][] = [];
  const judge: NonNullable<CheckPorts['judge']> = {
    name: 'one',
    judge: async ({ files, task, answer: said }) => {
      expect([task, said]).toEqual([['First.', 'Second.'], 'b']);
      shown.push(files.map(({ path, text }) => [path, text.length]));
      return { verdicts: [{ passed: true, evidence: 'Yes.' }], spent: { calls: 1, inputTokens: 1, outputTokens: 1 } };
    },
  };
  const rubric: OutputCheck = { kind: 'rubric', statement: 'It is right.', negated: false };
  const output = { task: ['First.', 'Second.'], answers: ['a', 'b'], left };
  await checkOutput([rubric], output, { judge, workspace, signal });
  expect(shown).toEqual([
    [
      ['a.txt', 5],
      ['long.txt', 8_000],
    ],
  ]);
  const two = checkOutput([rubric, { ...rubric, statement: 'It is good.' }], output, { judge, workspace, signal });
  await expect(two).rejects.toSatisfy((error) => SkillsError.is(error, 'MODEL_ERROR'));
});

test('what a judge says is taken where it is yes or no, a text, and numbers from 0', async () => {
  const rubric: OutputCheck = { kind: 'rubric', statement: 'It is right.', negated: false };
  const spent = { calls: 1, inputTokens: 5, outputTokens: 1, cost: 0.5 };
  const judged = async (answered: unknown) =>
    checkOutput(
      [rubric],
      { task: [], answers: ['a'] },
      {
        judge: { name: 'odd', judge: async () => answered as never },
        signal,
      },
    );
  const good = { passed: true, evidence: 'Yes.' };
  expect((await judged({ verdicts: [good], spent })).checks[0]?.verdict).toBe('passed');
  for (const verdicts of [
    [{ ...good, passed: 0 }],
    [{ ...good, passed: 'false' }],
    [{ passed: true }],
    [null],
    [good, good],
    [],
    'yes',
    undefined,
  ]) {
    await expect(judged({ verdicts, spent })).rejects.toMatchObject({ code: 'MODEL_ERROR', data: { judge: spent } });
  }
  for (const odd of [
    { ...spent, calls: Number.NaN },
    { ...spent, inputTokens: -1 },
    { ...spent, cost: '1' },
    undefined,
  ]) {
    await expect(judged({ verdicts: [good], spent: odd })).rejects.toMatchObject({ code: 'MODEL_ERROR' });
  }
  await expect(judged(undefined)).rejects.toMatchObject({ code: 'MODEL_ERROR', data: { judge: undefined } });
});

test('a judge is shown 20 files, and 60,000 characters of them', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `f${at}.txt`);
  const shown = async (length: number) => {
    const workspace = workspaceOf(Object.fromEntries(names.map((name) => [name, 'x'.repeat(length)])));
    let lengths: readonly number[] = [];
    const judge: NonNullable<CheckPorts['judge']> = {
      name: 'one',
      judge: async ({ files }) => {
        lengths = files.map(({ text }) => text.length);
        return { verdicts: [{ passed: true, evidence: 'Yes.' }], spent: { calls: 1, inputTokens: 1, outputTokens: 1 } };
      },
    };
    const left = names.map((path) => ({ path, size: length }));
    const rubric: OutputCheck = { kind: 'rubric', statement: 'It is right.', negated: false };
    await checkOutput([rubric], { task: [], answers: ['a'], left }, { judge, workspace, signal });
    return lengths;
  };
  expect(await shown(10)).toEqual(Array.from({ length: 20 }, () => 10));
  expect(await shown(9_000)).toEqual([...Array.from({ length: 7 }, () => 8_000), 4_000]);
});
