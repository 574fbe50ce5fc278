import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SkillsError, type JsonObject } from '@skillpack/core';
import { parseScript } from '@skillpack/model-adapters';
import { describe, expect, test } from 'vitest';
import { readYaml } from '../formats/read-yaml.js';
import { caseFilesIn } from './case-files-in.js';
import { checkSuite } from './check-suite.js';
import type { EvalSuite } from './eval-case.js';
import { parseSuite } from './parse-suite.js';

const folder = fileURLToPath(new URL('../../test/fixtures/cases/', import.meta.url));
const fixture = (name: string) => readFileSync(`${folder}${name}`, 'utf8');

describe('a file of cases', () => {
  test('PSA-35: a case has its input, its files, what is offered, what is expected, and its limits', async () => {
    const suite = await parseSuite(fixture('tasks.yaml'), { fileName: 'tasks.yaml', files: caseFilesIn(folder) });
    expect(suite).toMatchObject({ name: 'pdf-tasks', skills: ['pdf'] });
    const [first, second] = suite.cases;
    expect(first).toMatchObject({
      id: 'count-pages',
      kind: 'task',
      title: 'Counts the pages of a PDF',
      tags: ['read'],
      conversation: [{ input: 'How many pages does report.pdf have? Write the number to pages.txt.' }],
      offer: { skills: ['pdf'], distractors: ['docx'], preload: [] },
      limits: { maxTurns: 8, maxScripts: 3, maxCost: 0.5, forbiddenTools: ['delete_file'] },
    });
    expect(first?.files.map(({ path, bytes }) => [path, bytes.length])).toEqual([
      ['report.pdf', readFileSync(`${folder}files/report.pdf`).length],
      ['notes/todo.txt', 16],
      ['empty.bin', 0],
    ]);
    expect(first?.trials).toBeUndefined();
    // What the case says itself goes before what all have, one limit at a time.
    expect(second?.limits).toEqual({ maxTurns: 4, maxScripts: 3, maxCost: 0.5, forbiddenTools: ['delete_file'] });
    expect(second).toMatchObject({ trials: 3, expected: { disclosure: true, approvals: false } });
    expect(second?.conversation).toEqual([{ input: 'Is report.pdf a PDF?' }, { input: 'Answer again as JSON.' }]);
  });

  test('PSA-36: rules on actions are what the run is held to, with variables and without', async () => {
    const { cases } = await parseSuite(fixture('tasks.yaml'), { fileName: 'tasks.yaml', files: caseFilesIn(folder) });
    expect(cases[0]?.expected.skills).toEqual({ allOf: ['pdf'], others: false });
    expect(cases[0]?.expected.actions).toEqual([
      {
        kind: 'before',
        first: { action: 'load_resource', skill: '$skill' },
        // eslint-disable-next-line unicorn/no-thenable -- it is no function
        then: { action: 'run_script', skill: '$skill' },
      },
      { kind: 'occurs', step: { action: 'run_script', skill: 'pdf', path: 'scripts/*', ok: true }, atLeast: 1 },
      { kind: 'at_most', step: { action: 'run_script' }, most: 2 },
      { kind: 'forbidden', step: { action: 'call_tool', tool: 'delete_file' } },
      {
        kind: 'sequence',
        mode: 'in_order',
        steps: [
          { action: 'select_skills', skill: 'pdf' },
          { action: 'run_script', skill: 'pdf' },
          { action: 'final_answer' },
        ],
      },
    ]);
  });

  test('PSA-36: checks of the output say what they look at, and whether it must not be so', async () => {
    const { cases } = await parseSuite(fixture('tasks.yaml'), { fileName: 'tasks.yaml', files: caseFilesIn(folder) });
    const answer = { kind: 'answer' };
    expect(cases[0]?.expected.output).toEqual([
      { kind: 'contains', of: answer, texts: ['page', '2'], mode: 'any', caseless: true, negated: false },
      { kind: 'regex', of: answer, pattern: String.raw`\b2\b`, flags: '', negated: false },
      { kind: 'file', path: 'pages.txt', negated: false },
      { kind: 'equals', of: { kind: 'file', path: 'pages.txt' }, value: '2', caseless: false, negated: false },
      { kind: 'contains', of: answer, texts: ['error'], mode: 'all', caseless: true, negated: true },
      { kind: 'rubric', statement: 'The answer says how the pages were counted.', negated: false, text: 'says how' },
    ]);
    expect(cases[1]?.expected.output).toEqual([
      { kind: 'starts_with', of: { kind: 'answer', turn: 1 }, value: 'Yes', caseless: false, negated: false },
      {
        kind: 'json',
        of: { kind: 'answer', turn: 2 },
        schema: { type: 'object', required: ['pdf'], properties: { pdf: { type: 'boolean' } } },
        within: false,
        negated: false,
      },
      { kind: 'words', of: answer, most: 40, negated: false },
      { kind: 'similar', of: { kind: 'answer', turn: 1 }, reference: 'Yes it is a PDF', least: 0.5, negated: false },
      {
        kind: 'script',
        script: 'checks/looks-like-json.mjs',
        args: ['--strict'],
        program: Uint8Array.from(readFileSync(`${folder}checks/looks-like-json.mjs`)),
        negated: false,
      },
    ]);
  });

  test('PSA-35: skills are expected by a name, a list, none, or by any_of, all_of and none', async () => {
    const { cases } = await parseSuite(fixture('triggers.yaml'), { fileName: 'triggers.yaml' });
    expect(cases.map(({ id, expected }) => [id, expected.skills])).toEqual([
      ['read-a-pdf', { allOf: ['pdf'] }],
      ['fill-a-form', { allOf: ['pdf'] }],
      ['merge-pages', { anyOf: ['pdf'], none: ['docx'] }],
      ['word-file', { none: ['pdf'] }],
      ['small-talk', { none: true }],
    ]);
    const listed = await read({ kind: 'trigger', expected: { skills: ['none', 'pdf'] } });
    expect(listed.cases[0]?.expected.skills).toEqual({ allOf: ['none', 'pdf'] });
    expect(cases.map(({ tags }) => tags.join())).toEqual(['', '', '', 'near-miss', 'near-miss']);
  });

  test('the script of a case is one that a scripted model goes by', async () => {
    const { cases } = await parseSuite(fixture('tasks.yaml'), { fileName: 'tasks.yaml', files: caseFilesIn(folder) });
    expect(parseScript(JSON.stringify(cases[0]?.script), { fileName: 'script.json' })).toMatchObject({
      rules: [{ when: { skillInactive: 'pdf' } }, {}],
    });
  });

  test('a file with neither name nor skills has those that it is read with, or the name of the file', async () => {
    const text = JSON.stringify({ formatVersion: 1, cases: [{ id: 'a', input: 'b' }] });
    expect(await parseSuite(text, { fileName: 'pdf/evals/Über uns.yaml' })).toMatchObject({
      name: 'Uber-uns',
      skills: [],
    });
    const named = await parseSuite(text, { fileName: 'a.json', name: 'pdf-a', skills: ['pdf'] });
    expect(named).toMatchObject({ name: 'pdf-a', skills: ['pdf'] });
    await expect(parseSuite(text, { fileName: '测试.yaml' })).rejects.toThrow('at name: expected a name');
  });

  test('what several cases take from one file is read once, and is the same bytes', async () => {
    let reads = 0;
    const files = {
      read: async (path: string) => {
        reads += 1;
        return { path, bytes: new Uint8Array(3) };
      },
    };
    const text = JSON.stringify({
      formatVersion: 1,
      defaults: { files: { 'a.bin': { from: 'x/a.bin' } } },
      cases: [
        { id: 'a', input: 'a' },
        { id: 'b', input: 'b', files: { 'b.bin': { from: 'x/a.bin' } } },
      ],
    });
    const { cases } = await parseSuite(text, { fileName: 'a.json', files });
    expect(cases[1]?.files.map(({ path }) => path)).toEqual(['a.bin', 'b.bin']);
    expect(cases[1]?.files[0]?.bytes).toBe(cases[0]?.files[0]?.bytes);
    expect(reads).toBe(1);
  });
});

test('PSA-35: what stands under every case gives way field by field, and lists as a whole', async () => {
  const text = `formatVersion: 1
name: a
defaults:
  kind: trigger
  tags: [slow, near-miss]
  files: { a.txt: one, b.txt: two }
  offer: { skills: [pdf, docx], distractors: [table] }
  expected: { skills: pdf, disclosure: false }
  trials: 2
cases:
  - { id: as-it-is, input: x }
  - id: otherwise
    input: x
    kind: task
    tags: []
    files: { b.txt: three }
    offer: { distractors: [] }
    expected: { skills: { none: pdf }, actions: [{ forbidden: ask_user }] }
    trials: 1
`;
  const { cases } = await parseSuite(text, { fileName: 'a.yaml' });
  const texts = cases.map(({ files }) => files.map(({ path, bytes }) => `${path} ${new TextDecoder().decode(bytes)}`));
  expect(texts).toEqual([
    ['a.txt one', 'b.txt two'],
    ['a.txt one', 'b.txt three'],
  ]);
  expect(cases).toMatchObject([
    {
      kind: 'trigger',
      tags: ['slow', 'near-miss'],
      trials: 2,
      expected: { skills: { allOf: ['pdf'] }, disclosure: false },
    },
    {
      kind: 'task',
      tags: [],
      trials: 1,
      offer: { skills: ['pdf', 'docx'], distractors: [], preload: [] },
      expected: { skills: { none: ['pdf'] }, actions: [{ kind: 'forbidden' }], disclosure: false, approvals: true },
    },
  ]);
});

test('a byte order mark, and the line ends of Windows, say nothing', async () => {
  const yaml = 'formatVersion: 1\ncases:\n  - id: a\n    conversation:\n      - one\n      - { input: two }\n';
  const expected = await parseSuite(yaml, { fileName: 'a.yaml' });
  expect(expected.cases[0]?.conversation).toEqual([{ input: 'one' }, { input: 'two' }]);
  expect(await parseSuite(`\uFEFF${yaml.replaceAll('\n', '\r\n')}`, { fileName: 'a.yaml' })).toEqual(expected);
  const json = JSON.stringify(readYaml(yaml));
  expect(await parseSuite(`\uFEFF${json}`, { fileName: 'a.json' })).toEqual(expected);
  expect(await parseSuite(json, { fileName: 'a.yml' })).toEqual(expected);
});

test('a suite that a program made is looked through, too', async () => {
  const suite = await read({});
  expect(() => checkSuite(suite)).not.toThrow();
  const [first] = suite.cases;
  if (first === undefined) throw new Error('there is a case');
  const broken: EvalSuite = {
    ...suite,
    cases: [{ ...first, conversation: [], trials: 0.5, limits: { maxCost: Number.NaN } }],
  };
  expect(() => checkSuite(broken)).toThrow(
    'The suite “a” is not valid at cases.0.limits.maxCost: expected a number, found NaN',
  );
  const expecting = (expected: Partial<EvalSuite['cases'][number]['expected']>): EvalSuite => ({
    ...suite,
    cases: [{ ...first, expected: { ...first.expected, ...expected } }],
  });
  const empty = {
    kind: 'contains',
    of: { kind: 'answer' },
    texts: ['a', ''],
    mode: 'all',
    caseless: false,
    negated: false,
  } as const;
  expect(() => checkSuite(expecting({ output: [empty] }))).toThrow(
    'at cases.0.expected.output.0.contains: expected texts',
  );
  expect(() => checkSuite(expecting({ skills: { anyOf: [] } }))).toThrow('any_of: expected at least one name');
  const endless: { [name: string]: JsonObject } = {};
  endless['again'] = endless;
  expect(() => checkSuite({ ...suite, cases: [{ ...first, script: endless }] })).toThrow(
    'it is nested deeper than 64 levels',
  );
  expect(() => checkSuite({ ...suite, name: '../a' }, { fileName: 'b.yaml' })).toThrow(
    'The suite b.yaml is not valid at name',
  );
  expect(() => checkSuite(suite, { file: 'a' } as object)).toThrow('checkSuite has no option “file”');
});

/** A suite of one case with these fields. */
async function read(fields: object, files?: Parameters<typeof parseSuite>[1]['files']) {
  const text = JSON.stringify({ formatVersion: 1, name: 'a', cases: [{ id: 'a', input: 'b', ...fields }] });
  return parseSuite(text, { fileName: 'a.json', files });
}

const expectedOutput = (...output: unknown[]) => ({ expected: { output } });
const expectedActions = (...actions: unknown[]) => ({ expected: { actions } });

describe('what no run could do or fulfil is told before one is begun', () => {
  test.for([
    ['a slip in a field', { inputs: 'a' }, 'cases.0.inputs', 'expected no field “inputs” (there is input)'],
    ['another word for constraints', { limits: {} }, 'cases.0.limits', '(there is constraints)'],
    [
      'a slip in what is expected',
      { expected: { skills: { anyOf: ['pdf'] } } },
      'cases.0.expected.skills.anyOf',
      'expected no field “anyOf” (there is any_of)',
    ],
    [
      'an action there is not',
      expectedActions({ occurs: 'run_scripts' }),
      'cases.0.expected.actions.0.occurs.action',
      'run_script',
    ],
    ['an id that is no name of a file', { id: 'a/b' }, 'cases.0.id', 'expected a letter or a digit'],
    ['an id that is a device', { id: 'con' }, 'cases.0.id', 'no name of a device'],
    ['an id that JavaScript keeps', { id: '__proto__' }, 'cases.0.id', 'expected a letter or a digit'],
    ['an id that is a number', { id: 1 }, 'cases.0.id', 'expected a text, found 1'],
    ['input and conversation', { conversation: ['a'] }, 'cases.0', 'expected either input or conversation'],
    ['a blank input', { input: ' \n' }, 'cases.0.input', 'expected what a person says, found nothing'],
    ['no skill to expect', { kind: 'trigger' }, 'cases.0.expected', 'expected skills, as a case of the kind trigger'],
    [
      'a trigger with an output',
      { kind: 'trigger', expected: { skills: 'pdf', output: ['a'] } },
      'cases.0.expected.output',
      'has no output',
    ],
    [
      'a trigger with a text of a skill',
      { kind: 'trigger', expected: { skills: 'pdf' }, offer: { preload: ['pdf'] } },
      'cases.0.offer.preload',
      'no text of a skill is shown',
    ],
    ['nothing about skills', { expected: { skills: { others: false } } }, 'cases.0.expected.skills', 'expected any_of'],
    [
      'a skill that is wanted and refused',
      { expected: { skills: { any_of: ['pdf'], none: ['docx', 'pdf'] } } },
      'cases.0.expected.skills.none',
      '“pdf” is to be used and not to be used',
    ],
    [
      'a skill beside no skill',
      { expected: { skills: { all_of: 'pdf', none: true } } },
      'cases.0.expected.skills.none',
      'no skill is to be used, and “pdf” is',
    ],
    [
      'a skill that is not offered',
      { offer: { skills: ['docx'], distractors: ['table'] }, expected: { skills: 'pdf' } },
      'cases.0.expected.skills.all_of',
      '“pdf” is not offered',
    ],
    [
      'skills of which none is offered',
      { offer: { skills: ['docx'] }, expected: { skills: { any_of: ['pdf', 'table'] } } },
      'cases.0.expected.skills.any_of',
      'none of “pdf”, “table” is offered',
    ],
    ['a name that stands twice', { tags: ['a', 'a'] }, 'cases.0.tags.1', '“a” stands there twice'],
    ['a name with a direction', { tags: ['a\u202Eb'] }, 'cases.0.tags.0', 'a name on one line, found “a<U+202E>b”'],
    [
      'a rule of two kinds',
      expectedActions({ occurs: 'run_script', forbidden: 'ask_user' }),
      'cases.0.expected.actions.0',
      'found occurs and forbidden',
    ],
    [
      'a rule that is none',
      expectedActions({ mode: 'exact' }),
      'cases.0.expected.actions.0',
      'expected a rule with one of',
    ],
    [
      'a lonely first',
      expectedActions({ first: 'run_script' }),
      'cases.0.expected.actions.0',
      'expected before beside first',
    ],
    [
      'a stray number',
      expectedActions({ forbidden: 'run_script', atMost: 2 }),
      'cases.0.expected.actions.0.atMost',
      'expected no atMost beside forbidden',
    ],
    [
      'a trigger with actions',
      { kind: 'trigger', expected: { skills: 'pdf', actions: [{ forbidden: 'ask_user' }] } },
      'cases.0.expected.actions',
      'ends before anything is done',
    ],
    [
      'a text of a skill that is not offered',
      { offer: { skills: ['pdf'], distractors: ['table'], preload: ['table', 'docx'] } },
      'cases.0.offer.preload.1',
      'expected a skill that is offered, found “docx”',
    ],
    [
      'a lonely inputExactly',
      expectedActions({ forbidden: { tool: 'a', inputExactly: true } }),
      'cases.0.expected.actions.0.forbidden.inputExactly',
      'expected input beside it',
    ],
    [
      'a tool that has to be used and is none of those that may',
      { constraints: { allowedTools: ['a'] }, ...expectedActions({ occurs: { tool: 'b' } }) },
      'cases.0.expected.actions.0.occurs',
      'the limits of the case do not allow it',
    ],
    [
      'a step that has to be more often than it may, by the first of two rules',
      expectedActions(
        { occurs: { tool: 'a' }, atLeast: 3 },
        { occurs: { tool: 'a' } },
        { occurs: { tool: 'a' }, atMost: 2 },
      ),
      'cases.0.expected.actions.2',
      'at least 3 times',
    ],
    [
      'a subject out of the workspace',
      expectedOutput({ equals: 'a', of: { file: 'b/../../a' } }),
      'cases.0.expected.output.0.of.file',
      'leads out of the folder',
    ],
    [
      'a rule of two numbers',
      expectedActions({ occurs: 'run_script', atLeast: 1, atMost: 2 }),
      'cases.0.expected.actions.0',
      'write two rules',
    ],
    [
      'a lonely variable',
      expectedActions({
        first: { action: 'load_resource', skill: '$X' },
        before: { action: 'run_script', skill: '*' },
      }),
      'cases.0.expected.actions.0',
      'the variable “$X” stands in it once',
    ],
    [
      'a part that no such step has',
      expectedActions({ forbidden: { action: 'run_script', tool: 'rm' } }),
      'cases.0.expected.actions.0.forbidden.tool',
      'a step of run_script has no tool',
    ],
    [
      'a step of nothing',
      expectedActions({ forbidden: {} }),
      'cases.0.expected.actions.0.forbidden',
      'expected a step with at least one of',
    ],
    [
      'a path that leads out of a skill',
      expectedActions({ forbidden: { path: 'a/../../b' } }),
      'cases.0.expected.actions.0.forbidden.path',
      'expected a path from the folder of the skill',
    ],
    [
      'a step that has to and must not',
      expectedActions({ occurs: { tool: 'a' }, atLeast: 2 }, { occurs: { tool: 'a' }, atMost: 1 }),
      'cases.0.expected.actions.1',
      'at least 2 times',
    ],
    [
      'a tool that has to be used and is forbidden',
      { constraints: { forbiddenTools: ['run_script'] }, ...expectedActions({ occurs: 'run_script' }) },
      'cases.0.expected.actions.0.occurs',
      'the limits of the case do not allow it',
    ],
    [
      'a check of two kinds',
      expectedOutput({ contains: 'a', equals: 'b' }),
      'cases.0.expected.output.0',
      'found contains and equals',
    ],
    [
      'a stray option',
      expectedOutput({ equals: 'b', within: true }),
      'cases.0.expected.output.0.within',
      'expected no within beside equals',
    ],
    ['a pattern that is none', expectedOutput({ regex: '(' }), 'cases.0.expected.output.0.regex', 'missing closing )'],
    [
      'a pattern with a look behind it',
      expectedOutput({ regex: '(a)\\1' }),
      'cases.0.expected.output.0.regex',
      'invalid escape',
    ],
    [
      'flags there are not',
      expectedOutput({ regex: 'a', flags: 'g' }),
      'cases.0.expected.output.0.regex',
      'expected flags',
    ],
    [
      'a schema that is none',
      expectedOutput({ json: { type: 'obj' } }),
      'cases.0.expected.output.0.json',
      'schema is invalid',
    ],
    [
      'a schema from elsewhere',
      expectedOutput({ json: { $ref: 'http://a.test/b' } }),
      'cases.0.expected.output.0.json',
      'can',
    ],
    [
      'a line that nobody says',
      expectedOutput({ contains: 'a', of: { turn: 2 } }),
      'cases.0.expected.output.0.of.turn',
      'from 1 to 1, found 2',
    ],
    [
      'words that cannot be',
      expectedOutput({ words: { least: 5, most: 4 } }),
      'cases.0.expected.output.0.words',
      'at most 4, found 5',
    ],
    [
      'a file out of the workspace',
      expectedOutput({ file: '../a' }),
      'cases.0.expected.output.0.file',
      'leads out of the folder',
    ],
    [
      'a script out of the suite',
      expectedOutput({ script: '/bin/true' }),
      'cases.0.expected.output.0.script',
      'is an absolute path',
    ],
    [
      'a check and its contrary',
      expectedOutput('a', { contains: 'a', not: true }),
      'cases.0.expected.output.1',
      'the contrary of it',
    ],
    ['a file out of its workspace', { files: { '../a': 'b' } }, 'cases.0.files.../a', 'leads out of the folder'],
    ['a file that is a device', { files: { 'a/NUL.txt': 'b' } }, 'cases.0.files.a/NUL.txt', 'is the name of a device'],
    ['a file with a NUL', { files: { 'a\0b': 'b' } }, 'cases.0.files.a\0b', 'contains a control character'],
    [
      'two files of one name',
      { files: { 'a.txt': 'b', 'A.txt': 'c' } },
      'cases.0.files',
      'on some disks “A.txt” and “a.txt” are the same',
    ],
    [
      'a file in a file',
      { files: { a: 'b', 'a/b': 'c' } },
      'cases.0.files',
      'one is a file, and a folder for the other',
    ],
    [
      'a file of two contents',
      { files: { a: { text: 'b', from: 'c' } } },
      'cases.0.files.a',
      'one of text, base64 and from',
    ],
    ['a file that is no Base64', { files: { a: { base64: '%' } } }, 'cases.0.files.a', 'expected Base64'],
    ['a file from nowhere', { files: { a: { from: 'b' } } }, 'cases.0.files.a', 'expected text or base64'],
    [
      'a tool that may and must not',
      { constraints: { allowedTools: ['a'], forbiddenTools: ['a'] } },
      'cases.0.constraints.forbiddenTools',
      '“a” is allowed and forbidden',
    ],
    [
      'money that is negative',
      { constraints: { maxCost: -1 } },
      'cases.0.constraints.maxCost',
      'expected at least 0, found -1',
    ],
    ['half a character', { input: 'a\uD800' }, 'cases.0.input', 'half of a pair'],
    ['a script that is a list', { script: [] }, 'cases.0.script', 'expected an object'],
    ['no trial', { trials: 0 }, 'cases.0.trials', 'expected at least 1, found 0'],
  ] as const)('%s', async ([, fields, path, words]) => {
    const error: unknown = await read(fields).catch((thrown: unknown) => thrown);
    expect(SkillsError.is(error, 'INVALID_CASE'), String(error)).toBe(true);
    expect(error).toMatchObject({ data: { issues: [{ path }] }, hint: 'docs/eval-cases.md describes the file.' });
    expect(String(error)).toContain(words);
  });

  test.for([
    [
      'a skill among the distractors',
      { offer: { skills: ['docx'], distractors: ['pdf'] }, expected: { skills: 'pdf' } },
    ],
    [
      'a skill of several that is offered',
      { offer: { skills: ['pdf'] }, expected: { skills: { any_of: ['pdf', 'docx'] } } },
    ],
    ['twice with the same skill', expectedActions({ occurs: { action: 'run_script', skill: '$X' }, atLeast: 2 })],
    ['once with each skill', expectedActions({ occurs: { action: 'run_script', skill: '$X' }, atMost: 1 })],
    [
      'a variable in an input and in an argument',
      expectedActions({
        first: { tool: 'a', input: { deep: [{ er: '$FILE' }] } },
        before: { action: 'run_script', args: ['$FILE'] },
      }),
    ],
    [
      'a yes to a tool that is not used all the same',
      { constraints: { forbiddenTools: ['a'] }, ...expectedActions({ occurs: { action: 'approval', tool: 'a' } }) },
    ],
    [
      'no more often than it has to',
      expectedActions({ occurs: { tool: 'a' }, atLeast: 2 }, { occurs: { tool: 'a' }, atMost: 2 }),
    ],
    ['a check and another', expectedOutput({ contains: 'a' }, { contains: 'a', caseless: true, not: true })],
    ['files of one folder', { files: { 'a/b': 'c', 'a/d': 'e' } }],
  ] as const)('what could be fulfilled is none of that: %s', async ([, fields]) => {
    expect((await read(fields)).cases).toHaveLength(1);
  });

  test('every problem of a file is told as data, the first in words', async () => {
    const error: unknown = await read({ id: 'con', tags: ['a', 'a'], expected: { output: [{ regex: '(' }] } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      data: {
        issues: [{ path: 'cases.0.id' }, { path: 'cases.0.tags.1' }, { path: 'cases.0.expected.output.0.regex' }],
      },
    });
    expect(String(error)).toContain('(2 more)');
  });

  test.for([
    ['the same id twice', ['a', 'b', 'a'], 'there is a case “a” already'],
    ['ids that are one on some disks', ['a', 'b', 'A'], 'on some disks “A” is the same name'],
    ['ids of which the first has a capital', ['A', 'b', 'a'], 'on some disks “a” is the same name'],
  ] as const)('%s', async ([, ids, words]) => {
    const text = JSON.stringify({ formatVersion: 1, cases: ids.map((id) => ({ id, input: 'x' })) });
    await expect(parseSuite(text, { fileName: 'a.json' })).rejects.toThrow(words);
  });
});

test.for([
  ['nothing', '', 'a.yaml', 'INVALID_CASE', 'expected an object, found null'],
  [
    'no version',
    'cases: [{ id: a, input: b }]',
    'a.yaml',
    'INVALID_CASE',
    'at formatVersion: expected 1, which is missing',
  ],
  ['a version to come', 'formatVersion: 2\ncases: []', 'a.yaml', 'UNSUPPORTED_FORMAT', 'formatVersion 2'],
  ['no case', 'formatVersion: 1\ncases: []', 'a.yaml', 'INVALID_CASE', 'at cases: expected at least 1 items'],
  ['a slip in YAML', 'formatVersion: 1\ncases: [', 'a.yaml', 'INVALID_CASE', 'at line 2'],
  ['YAML in a .json', 'formatVersion: 1', 'a.json', 'INVALID_CASE', 'is not JSON'],
  ['a key that stands twice', 'formatVersion: 1\nname: a\nname: b', 'a.yml', 'INVALID_CASE', '“name” stands twice'],
] as const)('a file of cases with %s is refused', async ([, text, fileName, code, words]) => {
  const error: unknown = await parseSuite(text, { fileName }).catch((thrown: unknown) => thrown);
  expect(SkillsError.is(error, code), String(error)).toBe(true);
  expect(String(error)).toContain(words);
});

test('an option with a slip is refused', async () => {
  const options = { fileName: 'a.yaml', file: {} };
  await expect(parseSuite('', options)).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
});

test('PSA-35: the suites on the page on cases are read', async () => {
  const page = readFileSync(new URL('../../../../docs/eval-cases.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gmu)].map(([, yaml = '']) => yaml);
  expect(blocks).toHaveLength(3);
  for (const yaml of blocks) expect((await parseSuite(yaml, { fileName: 'page.yaml' })).cases).not.toEqual([]);
});
