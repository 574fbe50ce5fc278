import { exportSuite, importSuite, type EvalSuite } from '@skillpack/evals';
import { expect, test } from 'vitest';
import { caseOf, fixtureText, importFixture, notesOf } from './formats-fixture.js';

const answer = { kind: 'answer' } as const;

test('SPEC-11: evals.json of agentskills.io becomes tasks with their files, and statements for a judge', async () => {
  const imported = await importFixture('agentskills/evals/evals.json');
  expect(imported.format).toBe('agentskills');
  expect(imported.suite).toMatchObject({ name: 'csv-analyzer', skills: ['csv-analyzer'] });
  const first = caseOf(imported, '1');
  expect(first).toMatchObject({
    kind: 'task',
    conversation: [{ input: 'Which three months sold most? The numbers are in sales.csv.' }],
  });
  expect(first.expected.output.map((check) => (check.kind === 'rubric' ? check.statement : check.kind))).toEqual([
    'A bar chart of the three best months, with labelled axes',
    'The output includes a bar chart',
    'Both axes are labelled',
  ]);
  expect(first.files.map(({ path }) => path)).toEqual(['sales.csv']);
  expect(new TextDecoder().decode(first.files[0]?.bytes)).toBe(fixtureText('agentskills/evals/files/sales.csv'));
  expect(imported.notes.map(({ kind, message }) => [kind, message])).toEqual([
    ['kept', 'It takes a judge to say whether this holds (2 times).'],
    ['kept', 'It takes a judge to say whether this holds (2 times).'],
  ]);
});

test('SPEC-11: a file that a case names and that cannot be read is noted, and the case is kept', async () => {
  const text = fixtureText('agentskills/evals/evals.json');
  const imported = await importSuite(text, { fileName: 'evals.json' });
  expect(imported.suite.cases).toHaveLength(2);
  expect(imported.notes).toContainEqual({
    at: 'evals.*.files.*',
    kind: 'dropped',
    message:
      'The file “evals/files/sales.csv” was not read, as nobody said where files are: the case runs without it (2 times).',
  });
});

test('SPEC-11: statements are called expectations by skill-creator, and read all the same', async () => {
  const imported = await importFixture('skill-creator.json');
  expect(imported.format).toBe('skill-creator');
  const only = caseOf(imported, '7');
  expect(only.title).toBe('Fill a form');
  expect(only.expected.output).toMatchObject([
    { kind: 'rubric', statement: 'A filled form' },
    { kind: 'rubric', statement: 'The name is in the form' },
    { kind: 'rubric', statement: 'No other field was changed' },
  ]);
});

test('SPEC-11: assertions that are objects become checks of a program where they are such, else statements; the rest is noted', async () => {
  const imported = await importFixture('skill-creator-objects.json');
  expect(imported.format).toBe('skill-creator');
  expect(caseOf(imported, 'merge').expected.output).toEqual([
    { kind: 'file', path: 'out/merged.pdf', negated: false },
    { kind: 'rubric', statement: 'The merged file has five pages', negated: false, text: 'page count' },
    { kind: 'rubric', statement: 'The order is a, then b', negated: false },
    { kind: 'contains', of: answer, texts: ['merged'], mode: 'all', caseless: false, negated: false },
    {
      kind: 'contains',
      of: { kind: 'file', path: 'out/log.txt' },
      texts: ['error'],
      mode: 'all',
      caseless: false,
      negated: true,
    },
  ]);
  expect(notesOf(imported)).toEqual([
    'kept evals.0.assertions.1.check',
    'kept evals.0.assertions.2.description',
    'dropped evals.0.assertions.5.pattern',
    'dropped evals.0.assertions.2.id',
    'dropped evals.*.assertions.*.type',
  ]);
});

test('SPEC-11: a case without anything that is expected is kept, and told of', async () => {
  const text = JSON.stringify({ skill_name: 'pdf', evals: [{ id: 1, prompt: 'Rotate page 3', files: ['../secret'] }] });
  const imported = await importSuite(text, { fileName: 'evals.json' });
  expect(imported.suite.cases).toHaveLength(1);
  expect(notesOf(imported)).toEqual(['dropped evals.0.files.0', 'kept evals.0']);
});

test('SPEC-11: what was imported from agentskills.io and is written for it again is the same file', async () => {
  const { suite } = await importFixture('agentskills/evals/evals.json');
  const written = exportSuite(suite, 'agentskills');
  expect(JSON.parse(written.text)).toEqual(JSON.parse(fixtureText('agentskills/evals/evals.json')));
  expect(written.fileName).toBe('evals.json');
  expect(written.files.map(({ path }) => path)).toEqual(['evals/files/sales.csv']);
  expect(written.notes).toEqual([]);
});

test('SPEC-11: what was imported from skill-creator and is written for it again says the same', async () => {
  const { suite } = await importFixture('skill-creator.json');
  const { text, notes } = exportSuite(suite, 'skill-creator');
  const { evals } = JSON.parse(fixtureText('skill-creator.json')) as { evals: readonly { files: unknown }[] };
  const [{ files: _, ...only } = { files: undefined }] = evals;
  expect(JSON.parse(text)).toEqual({ skill_name: 'pdf', evals: [only] });
  expect(notes).toEqual([]);
});

test('SPEC-11: what evals.json cannot say is a statement there, or a note', () => {
  const suite: EvalSuite = {
    name: 'pdf',
    skills: ['pdf', 'docx'],
    cases: [
      {
        id: 'merge',
        kind: 'task',
        title: 'Merging',
        tags: ['slow'],
        conversation: [{ input: 'Merge them' }, { input: 'And rotate' }],
        files: [{ path: 'a.txt', bytes: new Uint8Array([1]) }],
        offer: { distractors: ['docx'], preload: [] },
        expected: {
          skills: { allOf: ['pdf'], none: ['docx'] },
          actions: [{ kind: 'forbidden', step: { action: 'call_tool', tool: 'fetch_url' } }],
          output: [
            { kind: 'contains', of: answer, texts: ['merged'], mode: 'all', caseless: false, negated: false },
            { kind: 'rubric', statement: 'It is rude', negated: true },
          ],
          disclosure: true,
          approvals: true,
        },
        limits: { maxTurns: 3 },
        trials: 5,
      },
      {
        id: 'other',
        kind: 'task',
        tags: [],
        conversation: [{ input: 'Read it' }],
        files: [{ path: 'a.txt', bytes: new Uint8Array([2]) }],
        offer: { distractors: [], preload: [] },
        expected: { actions: [], output: [], disclosure: true, approvals: true },
        limits: {},
      },
      {
        id: 'fires',
        kind: 'trigger',
        tags: [],
        conversation: [{ input: 'Rotate it' }],
        files: [],
        offer: { distractors: [], preload: [] },
        expected: { skills: { allOf: ['pdf'] }, actions: [], output: [], disclosure: true, approvals: true },
        limits: {},
      },
    ],
  };
  const written = exportSuite(suite, 'agentskills');
  expect(JSON.parse(written.text)).toEqual({
    skill_name: 'pdf',
    evals: [
      {
        id: 'merge',
        prompt: 'Merge them\n\nAnd rotate',
        files: ['evals/files/a.txt'],
        assertions: [
          'The skill pdf is used.',
          'The skill docx is not used.',
          'Call_tool fetch_url never happens.',
          'The answer contains "merged".',
          'Not so: It is rude.',
        ],
      },
      { id: 'other', prompt: 'Read it', files: ['evals/files/other/a.txt'] },
    ],
  });
  expect(written.files).toEqual([
    { path: 'evals/files/a.txt', bytes: new Uint8Array([1]) },
    { path: 'evals/files/other/a.txt', bytes: new Uint8Array([2]) },
  ]);
  expect(notesOf(written)).toEqual([
    'changed ',
    'dropped cases.0.title',
    'dropped cases.0.tags',
    'dropped cases.0.offer',
    'dropped cases.0.limits',
    'dropped cases.0.trials',
    'changed cases.0.conversation',
    'changed cases.0.expected.skills',
    'changed cases.0.expected.actions.0',
    'changed cases.0.expected.output.0',
    'changed cases.0.expected.output.1',
    'changed cases.1.files',
    'dropped cases.2',
  ]);
});

test('SPEC-11: trigger cases are written as a list of queries, and tasks are told of', async () => {
  const { suite } = await importFixture('kind-trigger.json');
  const { text, notes, fileName } = exportSuite(suite, 'trigger-list');
  expect(fileName).toBe('trigger-evals.json');
  expect(JSON.parse(text)).toEqual([
    { id: '1', query: 'Add a licence to this project', should_trigger: true },
    { id: '2', query: 'Which licence do you like?', should_trigger: false },
  ]);
  expect(notes.map(({ kind, at }) => [kind, at])).toEqual([['dropped', 'cases.2']]);
});

test('SPEC-11: a list of queries is about one skill: what a suite says of others is told of', async () => {
  const { suite } = await importFixture('multi-skill.yaml');
  const { text, notes } = exportSuite(suite, 'trigger-list');
  expect((JSON.parse(text) as { should_trigger: boolean }[]).map(({ should_trigger }) => should_trigger)).toEqual([
    true,
    false,
    false,
  ]);
  expect(notes.map(({ message }) => message)).toEqual([
    'The list is about one skill: pdf. The suite is also about docx.',
    'The list does not say which other skills are not to be used: docx, xlsx.',
    'The list does not say which other skills are not to be used: every skill.',
    'The list says nothing of docx, only whether pdf is to be used.',
  ]);
});
