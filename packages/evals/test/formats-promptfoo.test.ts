import { exportSuite, importSuite, parseSuite, formatSuite, type EvalSuite } from '@skillpack/evals';
import { expect, test } from 'vitest';
import { caseOf, importFixture, notesOf } from './formats-fixture.js';

const answer = { kind: 'answer' } as const;

/** What assertions come to, of a file with one test. */
async function imported(assert: readonly object[], more: object = {}) {
  const text = JSON.stringify({ prompts: ['{{q}}'], tests: [{ vars: { q: 'Rotate page 3' }, assert, ...more }] });
  const result = await importSuite(text, { fileName: 'promptfooconfig.json' });
  const [only] = result.suite.cases;
  if (only === undefined) throw new Error('There is no case.');
  return {
    ...only.expected,
    limits: only.limits,
    notes: notesOf(result),
    messages: result.notes.map(({ message }) => message),
  };
}

test('PSA-35: a configuration of promptfoo becomes one case for each test and value of its variables', async () => {
  const { format, suite } = await importFixture('promptfoo.yaml');
  expect(format).toBe('promptfoo');
  expect(suite.cases.map(({ conversation: [line] }) => line?.input)).toEqual([
    'Task: Rotate page 3 of a.pdf',
    'Task: Merge a.pdf and b.pdf',
    'Task: Merge b.pdf and a.pdf',
    'Task: Name the pages',
    'Task: Name the pages',
  ]);
  expect(suite.skills).toEqual(['pdf']);
  expect(suite.cases[0]).toMatchObject({ title: 'Rotates a page', tags: ['rotate'], trials: 3 });
  expect(await parseSuite(formatSuite(suite), { fileName: 'x.yaml' })).toEqual(suite);
});

test('PSA-35: what all tests share, templates of assertions and scenarios count in each test of promptfoo', async () => {
  const result = await importFixture('promptfoo.yaml');
  for (const { expected, limits } of result.suite.cases) {
    expect(expected.output[0]).toEqual({ kind: 'words', of: answer, most: 200, negated: false });
    expect(limits.maxCost).toBe(0.05);
  }
  expect(caseOf(result, 'answers-in-a-language').expected.output[1]).toMatchObject({ statement: 'It is in German' });
  expect(caseOf(result, 'answers-in-a-language-2').expected.output[1]).toMatchObject({ statement: 'It is in French' });
});

test('PSA-35: tests in other files, prompts in programs, providers and metrics of promptfoo are noted', async () => {
  const notes = notesOf(await importFixture('promptfoo.yaml'));
  expect(notes).toContain('dropped tests.2');
  expect(notes).toContain('dropped prompts.1');
  expect(notes).toContain('dropped providers');
  expect(notes).toContain('dropped tests.*.assert.*.metric');
  expect(notes).toContain('dropped tests.0.metadata.owner');
  expect(notes).toContain('changed tests.0.threshold');
});

test.each([
  [
    { type: 'equals', value: 'a' },
    { kind: 'equals', of: answer, value: 'a', caseless: false },
  ],
  [
    { type: 'equals', value: { a: 1 } },
    { kind: 'json', of: answer, schema: { const: { a: 1 } }, within: false },
  ],
  [
    { type: 'contains', value: 'a' },
    { kind: 'contains', of: answer, texts: ['a'], mode: 'all', caseless: false },
  ],
  [
    { type: 'icontains', value: 7 },
    { kind: 'contains', of: answer, texts: ['7'], mode: 'all', caseless: true },
  ],
  [
    { type: 'contains-all', value: 'a, b' },
    { kind: 'contains', of: answer, texts: ['a', 'b'], mode: 'all', caseless: false },
  ],
  [
    { type: 'contains-any', value: ['a', 'b'] },
    { kind: 'contains', of: answer, texts: ['a', 'b'], mode: 'any', caseless: false },
  ],
  [
    { type: 'icontains-all', value: ['a'] },
    { kind: 'contains', of: answer, texts: ['a'], mode: 'all', caseless: true },
  ],
  [
    { type: 'icontains-any', value: ['a'] },
    { kind: 'contains', of: answer, texts: ['a'], mode: 'any', caseless: true },
  ],
  [
    { type: 'starts-with', value: 'a' },
    { kind: 'starts_with', of: answer, value: 'a', caseless: false },
  ],
  [
    { type: 'regex', value: '[ab]+' },
    { kind: 'regex', of: answer, pattern: '[ab]+', flags: '' },
  ],
  [{ type: 'is-json' }, { kind: 'json', of: answer, within: false }],
  [
    { type: 'is-json', value: '{"type":"object"}' },
    { kind: 'json', of: answer, schema: { type: 'object' }, within: false },
  ],
  [
    { type: 'contains-json', value: { type: 'array' } },
    { kind: 'json', of: answer, schema: { type: 'array' }, within: true },
  ],
  [
    { type: 'word-count', value: 9 },
    { kind: 'words', of: answer, least: 9, most: 9 },
  ],
  [
    { type: 'word-count', value: { min: 2 } },
    { kind: 'words', of: answer, least: 2 },
  ],
  [
    { type: 'rouge-n', value: 'a b', threshold: 0.5 },
    { kind: 'similar', of: answer, reference: 'a b', least: 0.5 },
  ],
  [
    { type: 'llm-rubric', value: 'It is kind' },
    { kind: 'rubric', statement: 'It is kind' },
  ],
  [
    { type: 'agent-rubric', value: 'It is kind' },
    { kind: 'rubric', statement: 'It is kind' },
  ],
  [
    { type: 'g-eval', value: ['It is kind'] },
    { kind: 'rubric', statement: 'It is kind' },
  ],
  [{ type: 'is-refusal' }, { kind: 'rubric', statement: 'It refuses to do what was asked.' }],
  [
    { type: 'answer-relevance', threshold: 0.8 },
    { kind: 'rubric', statement: 'It answers what was asked, and nothing else.' },
  ],
  [
    { type: 'similar', value: 'yes' },
    { kind: 'rubric', statement: 'It means the same as: yes' },
  ],
])('PSA-35: the assertion %j of promptfoo is a check, and its contrary with not-', async (assertion, check) => {
  expect((await imported([assertion])).output).toEqual([{ ...check, negated: false }]);
  const contrary = { ...assertion, type: `not-${assertion.type}` };
  expect((await imported([contrary])).output).toEqual([{ ...check, negated: true }]);
});

test.each([
  [
    { type: 'skill-used', value: { name: 'pdf', min: 2 } },
    [{ kind: 'occurs', step: { action: 'select_skills', skill: 'pdf' }, atLeast: 2 }],
  ],
  [
    { type: 'skill-used', value: { pattern: 'pdf*', max: 0 } },
    [{ kind: 'forbidden', step: { action: 'select_skills', skill: 'pdf*' } }],
  ],
  [
    { type: 'trajectory:tool-used', value: ['read_file', 'run_script'] },
    [
      { kind: 'occurs', step: { action: 'call_tool', tool: 'read_file' }, atLeast: 1 },
      { kind: 'occurs', step: { action: 'run_script' }, atLeast: 1 },
    ],
  ],
  [
    { type: 'not-trajectory:tool-used', value: 'fetch_url' },
    [{ kind: 'forbidden', step: { action: 'call_tool', tool: 'fetch_url' } }],
  ],
  [
    { type: 'trajectory:tool-used', value: { pattern: 'read_*', min: 1, max: 4 } },
    [
      { kind: 'occurs', step: { action: 'call_tool', tool: 'read_*' }, atLeast: 1 },
      { kind: 'at_most', step: { action: 'call_tool', tool: 'read_*' }, most: 4 },
    ],
  ],
  [
    { type: 'trajectory:tool-sequence', value: ['a', 'b'] },
    [
      {
        kind: 'sequence',
        mode: 'in_order',
        steps: [
          { action: 'call_tool', tool: 'a' },
          { action: 'call_tool', tool: 'b' },
        ],
      },
    ],
  ],
  [
    { type: 'trajectory:tool-sequence', value: { mode: 'exact', steps: ['a', { pattern: 'b*' }] } },
    [
      {
        kind: 'sequence',
        mode: 'in_order',
        steps: [
          { action: 'call_tool', tool: 'a' },
          { action: 'call_tool', tool: 'b*' },
        ],
      },
      { kind: 'at_most', step: { action: 'call_tool' }, most: 2 },
    ],
  ],
  [
    { type: 'trajectory:tool-args-match', value: { name: 'w', args: { p: 1, q: 2 }, ignore: ['q'] } },
    [{ kind: 'occurs', step: { action: 'call_tool', tool: 'w', input: { p: 1 } }, atLeast: 1 }],
  ],
  [
    { type: 'trajectory:tool-args-match', value: { name: 'w', arguments: { p: 1 }, mode: 'exact' } },
    [{ kind: 'occurs', step: { action: 'call_tool', tool: 'w', input: { p: 1 }, inputExactly: true }, atLeast: 1 }],
  ],
  [
    { type: 'trajectory:step-count', value: { type: 'tool', pattern: 'read_*', max: 3 } },
    [{ kind: 'at_most', step: { action: 'call_tool', tool: 'read_*' }, most: 3 }],
  ],
])('PSA-35: the assertion %j of promptfoo is a rule on actions', async (assertion, rules) => {
  expect((await imported([assertion])).actions).toEqual(rules);
});

test('PSA-35: skill-used of promptfoo says which skills are wanted, not-skill-used which are not', async () => {
  const { skills, notes } = await imported([
    { type: 'skill-used', value: 'pdf' },
    { type: 'skill-used', value: ['ocr'] },
    { type: 'not-skill-used', value: ['docx', 'xlsx'] },
  ]);
  expect(skills).toEqual({ allOf: ['pdf', 'ocr'], none: ['docx', 'xlsx'] });
  expect(notes).toEqual([]);
});

test('PSA-35: cost and latency of promptfoo are limits, the tighter one of several', async () => {
  const { limits, notes } = await imported([
    { type: 'cost', threshold: 0.2 },
    { type: 'cost', threshold: 0.1 },
    { type: 'latency', threshold: 1500 },
    { type: 'not-cost', threshold: 1 },
  ]);
  expect(limits).toEqual({ maxCost: 0.1, maxSeconds: 1.5 });
  expect(notes).toContain('dropped tests.0.assert.3');
});

test.each([
  'is-xml contains-xml is-html contains-html is-sql contains-sql is-valid-function-call is-valid-openai-tools-call',
  'javascript python ruby webhook levenshtein bleu gleu meteor finish-reason perplexity guardrails',
  'trace-span-count trace-span-duration trace-error-spans context-recall classifier moderation select-best human max-score',
])('PSA-35: what promptfoo checks and nothing here does is noted: %s', async (types) => {
  const all = types.split(' ').map((type) => ({ type, value: 'x' }));
  const { output, actions, messages } = await imported(all);
  expect([...output, ...actions]).toEqual([]);
  for (const { type } of all) expect(messages).toContain(`There is no check like “${type}” here.`);
});

test('PSA-35: a set of promptfoo with one text of several is one check; of any other set all have to hold, which is noted', async () => {
  const either = await imported([
    {
      type: 'assert-set',
      threshold: 0.5,
      assert: [
        { type: 'contains', value: 'a' },
        { type: 'contains', value: 'b' },
      ],
    },
  ]);
  expect(either.output).toMatchObject([{ kind: 'contains', texts: ['a', 'b'], mode: 'any' }]);
  expect(either.notes).toEqual([]);
  const both = await imported([
    {
      type: 'assert-set',
      threshold: 0.5,
      weight: 3,
      assert: [
        { type: 'contains', value: 'a' },
        { type: 'starts-with', value: 'b' },
      ],
    },
  ]);
  expect(both.output).toHaveLength(2);
  expect(both.notes).toEqual(['changed tests.0.assert.0.threshold', 'dropped tests.0.assert.0.weight']);
});

test('PSA-35: a text with * or $ in the arguments of promptfoo stands for more than itself here, and is noted', async () => {
  const { actions, notes } = await imported([
    { type: 'trajectory:tool-args-match', value: { name: 'w', args: { p: '*.pdf', q: '$HOME' } } },
  ]);
  expect(actions).toMatchObject([{ step: { input: { p: '*.pdf', q: '$HOME*' } } }]);
  expect(notes).toEqual(['changed tests.0.assert.0.value.args']);
});

test('PSA-35: of assertions that contradict each other the later one is left out and noted', async () => {
  const { output, notes } = await imported([
    { type: 'contains', value: 'a' },
    { type: 'not-contains', value: 'a' },
  ]);
  expect(output).toEqual([
    { kind: 'contains', of: answer, texts: ['a'], mode: 'all', caseless: false, negated: false },
  ]);
  expect(notes).toEqual(['dropped tests.0']);
});

test('PSA-35: a table of promptfoo is read: expectations in short, descriptions, metadata and what stands after a prompt', async () => {
  const result = await importFixture('promptfoo.csv');
  expect(result.format).toBe('promptfoo');
  const [first, second] = result.suite.cases;
  expect(first).toMatchObject({
    title: 'Rotates',
    tags: ['rotate', 'page'],
    conversation: [{ input: 'Rotate page 3!' }],
  });
  expect(first?.expected.output).toMatchObject([
    { kind: 'contains', texts: ['rotated'] },
    { kind: 'rubric', statement: 'It means the same as: it was "turned"' },
  ]);
  expect(second?.expected.output).toMatchObject([
    { kind: 'equals', value: 'hello' },
    { kind: 'contains', texts: ['bye'], caseless: true, negated: true },
  ]);
  expect(notesOf(result)).toContain('dropped 0.assert.2');
  expect(notesOf(result)).toContain('dropped 0.assert.1.threshold');
});

test('PSA-35: a bare list of tests of promptfoo takes the variable that is called like a question for what is said', async () => {
  const result = await importFixture('promptfoo-list.json');
  expect(result.suite.cases.map(({ conversation: [line] }) => line?.input)).toEqual(['Rotate page 3']);
  expect(notesOf(result)).toEqual(['changed 0.vars.context', 'dropped 1']);
});

test('PSA-35: of a file of results of promptfoo, the configuration in it is read', async () => {
  const config = { prompts: ['{{q}}'], tests: [{ vars: { q: 'Hi' }, assert: [{ type: 'contains', value: 'a' }] }] };
  const text = JSON.stringify({ evalId: 'eval-1', results: { version: 3, results: [] }, config });
  const result = await importSuite(text, { fileName: 'out.json' });
  expect(result.suite.cases).toHaveLength(1);
  expect(notesOf(result)).toEqual(['dropped evalId', 'dropped results']);
});

test('PSA-35: a suite that is written for promptfoo says the same when it is read again', async () => {
  const suite: EvalSuite = {
    name: 'pdf',
    skills: ['pdf'],
    cases: [
      {
        id: 'merge',
        kind: 'task',
        title: 'merge',
        tags: ['slow'],
        conversation: [{ input: 'Merge {{a}} and {% b %}' }],
        files: [],
        offer: { distractors: [], preload: [] },
        expected: {
          skills: { allOf: ['pdf'], none: ['docx'] },
          actions: [
            { kind: 'occurs', step: { action: 'call_tool', tool: 'read_*' }, atLeast: 2 },
            { kind: 'forbidden', step: { action: 'call_tool', tool: 'fetch_url' } },
            { kind: 'sequence', mode: 'in_order', steps: [{ action: 'call_tool', tool: 'a' }] },
            {
              kind: 'occurs',
              step: { action: 'call_tool', tool: 'w', input: { n: 1 }, inputExactly: true },
              atLeast: 1,
            },
            { kind: 'at_most', step: { action: 'select_skills', skill: 'pdf' }, most: 1 },
          ],
          output: [
            { kind: 'contains', of: answer, texts: ['{{x}}'], mode: 'all', caseless: true, negated: true },
            { kind: 'contains', of: answer, texts: ['a', 'b'], mode: 'any', caseless: false, negated: false },
            { kind: 'equals', of: answer, value: 'done, really', caseless: false, negated: false },
            { kind: 'regex', of: answer, pattern: 'a+', flags: '', negated: false },
            { kind: 'json', of: answer, schema: { type: 'object' }, within: true, negated: false },
            { kind: 'words', of: answer, least: 1, most: 4, negated: false },
            { kind: 'rubric', statement: 'It is kind', negated: true },
          ],
          disclosure: true,
          approvals: true,
        },
        limits: { maxCost: 0.5, maxSeconds: 20 },
        trials: 4,
      },
    ],
  };
  const { text, notes } = exportSuite(suite, 'promptfoo');
  expect(notes).toEqual([
    {
      at: '',
      kind: 'kept',
      message: 'Name a provider in it before it is run: one that tells the skills and tools that were used.',
    },
  ]);
  const again = await importSuite(text, { fileName: 'promptfooconfig.yaml', name: 'pdf', skill: 'pdf' });
  expect(again.suite).toEqual(suite);
});

test('PSA-35: what promptfoo cannot say is in the notes of what is written for it', () => {
  const suite: EvalSuite = {
    name: 'pdf',
    skills: ['pdf'],
    cases: [
      {
        id: 'all',
        kind: 'task',
        tags: [],
        conversation: [{ input: 'file://secret' }],
        files: [{ path: 'a', bytes: new Uint8Array() }],
        offer: { distractors: [], preload: [] },
        expected: {
          skills: { anyOf: ['pdf', 'ocr'], none: true, others: false },
          actions: [
            // oxlint-disable-next-line unicorn/no-thenable -- the name of the field
            { kind: 'before', first: { action: 'load_resource' }, then: { action: 'run_script' } },
            { kind: 'occurs', step: { action: 'run_script', skill: 'pdf' }, atLeast: 1 },
          ],
          output: [
            { kind: 'file', path: 'out.pdf', negated: false },
            {
              kind: 'contains',
              of: { kind: 'file', path: 'a' },
              texts: ['x'],
              mode: 'all',
              caseless: false,
              negated: false,
            },
          ],
          disclosure: true,
          approvals: true,
        },
        limits: { maxTurns: 2 },
      },
      {
        id: 'chat',
        kind: 'task',
        tags: [],
        conversation: [{ input: 'a' }, { input: 'b' }],
        files: [],
        offer: { distractors: [], preload: [] },
        expected: { actions: [], output: [], disclosure: true, approvals: true },
        limits: {},
      },
    ],
  };
  const written = exportSuite(suite, 'promptfoo');
  expect(notesOf(written)).toEqual([
    'kept ',
    'dropped cases.0.files',
    'dropped cases.0.expected.skills',
    'dropped cases.0.expected.actions.0',
    'dropped cases.0.expected.actions.1',
    'dropped cases.0.expected.output.0',
    'dropped cases.0.expected.output.1',
    'dropped cases.0.limits.maxTurns',
    'changed cases.0.conversation.0.input',
    'dropped cases.1',
  ]);
  expect(written.text).toContain('input: " file://secret"');
});
