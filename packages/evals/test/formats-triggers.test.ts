import { detectFormat, importSuite, parseSuite, formatSuite } from '@skillpack/evals';
import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { caseOf, fixtureText, importFixture, notesOf, triggersOf } from './formats-fixture.js';

const pdf = { allOf: ['pdf'] };
const notPdf = { none: ['pdf'] };

test('PSA-35: a list of queries with should_trigger (shape 1) becomes trigger cases; what else stands there is a tag, a title or a note', async () => {
  const imported = await importFixture('trigger-list.json', { skill: 'pdf' });
  expect(imported.format).toBe('trigger-list');
  expect(imported.suite).toMatchObject({ name: 'pdf-triggers', skills: ['pdf'] });
  expect(imported.suite.cases.every(({ kind }) => kind === 'trigger')).toBe(true);
  expect(triggersOf(imported)).toEqual([
    ['Fill in this PDF form for me', pdf],
    ['Split this 40 page PDF into chapters', pdf],
    ['Turn this Word file into a PDF in Word', notPdf],
    ['Split this 40 page PDF into chapters', pdf],
  ]);
  expect(imported.suite.cases.map(({ tags }) => tags)).toEqual([['category-forms', 'split-train'], ['split'], [], []]);
  expect(imported.suite.cases[2]?.title).toBe('Word does it');
  expect(imported.notes).toEqual([
    {
      case: 'turn-this-word-file-into-a-pdf',
      at: '2.owner',
      kind: 'dropped',
      message: '“owner” has no place in a case, and was left out: “ada”.',
    },
  ]);
});

test('PSA-35: queries that stand in a list twice (shape 1) are two cases', async () => {
  const { suite } = await importFixture('trigger-list.json', { skill: 'pdf' });
  const ids = suite.cases.map(({ id }) => id);
  expect(ids).toEqual([
    '3',
    'split-this-40-page-pdf-into-chapters',
    'turn-this-word-file-into-a-pdf',
    'split-this-40-page-pdf-into-chapters-2',
  ]);
});

test.each(['queries', 'cases', 'evals', 'items', 'trigger_evals'])(
  'PSA-35: a list of queries in the wrapper %s (shape 2) is read as the list is',
  async (name) => {
    const entries = [
      { query: 'Rotate page 3', should_trigger: true },
      { query: 'Rotate this photo', should_trigger: false },
    ];
    const imported = await importSuite(JSON.stringify({ skill_name: 'pdf', [name]: entries }), { fileName: 'x.json' });
    expect(imported.format).toBe('trigger-wrapper');
    expect(imported.suite.skills).toEqual(['pdf']);
    expect(triggersOf(imported)).toEqual([
      ['Rotate page 3', pdf],
      ['Rotate this photo', notPdf],
    ]);
    expect(imported.notes).toEqual([]);
  },
);

test('PSA-35: a wrapper (shape 2) in a file says which skill it is about', async () => {
  const imported = await importFixture('trigger-wrapper.json');
  expect(imported).toMatchObject({ format: 'trigger-wrapper', suite: { skills: ['pdf'] }, notes: [] });
});

test('PSA-35: other names of the query and of the label, words, and names of skills (shape 3) are understood', async () => {
  const imported = await importFixture('trigger-keys.json', { skill: 'pdf' });
  expect(imported.format).toBe('trigger-keys');
  expect(triggersOf(imported)).toEqual([
    ['Rotate page 3', pdf],
    ['Rotate this photo', notPdf],
    ['Write a letter', { allOf: ['docx'] }],
    ['Read me a poem', { none: true }],
    ['Add page numbers', pdf],
    ['Add numbers', notPdf],
  ]);
  expect(imported.suite.skills).toEqual(['pdf', 'docx']);
  expect(notesOf(imported)).toEqual(['dropped 6']);
});

test.each(['query', 'prompt', 'q', 'input'])('PSA-35: the query may be called %s (shape 3)', async (name) => {
  const text = JSON.stringify([{ [name]: 'Rotate page 3', should: true }]);
  expect(triggersOf(await importSuite(text, { fileName: 'x.json', skill: 'pdf' }))).toEqual([['Rotate page 3', pdf]]);
});

test.each(['should_trigger', 'shouldTrigger', 'should', 'expected_trigger', 'expect', 'expected'])(
  'PSA-35: the label may be called %s, and be a truth value, a word or the name of a skill (shape 3)',
  async (name) => {
    const labels = [true, false, 'fire', 'no_fire', 'docx'];
    const text = JSON.stringify(labels.map((label, index) => ({ q: `Query ${index}`, [name]: label })));
    const imported = await importSuite(text, { fileName: 'x.json', skill: 'pdf' });
    expect(triggersOf(imported).map(([, skills]) => skills)).toEqual([pdf, notPdf, pdf, notPdf, { allOf: ['docx'] }]);
  },
);

test('PSA-35: two lists, of queries that are for the skill and of those that are not (shape 4), are read', async () => {
  const imported = await importFixture('trigger-lists.json');
  expect(imported.format).toBe('trigger-lists');
  expect(triggersOf(imported)).toEqual([
    ['Rotate page 3', pdf],
    ['Merge these two', pdf],
    ['Rotate this photo', notPdf],
  ]);
  expect(caseOf(imported, 'merge-these-two').title).toBe('merging');
  expect(imported.notes).toEqual([]);
});

test('PSA-35: a list for each skill (shape 4) says which skill each query is for', async () => {
  const imported = await importFixture('trigger-lists-by-skill.yaml');
  expect(imported.format).toBe('trigger-lists');
  expect(imported.suite.skills).toEqual(['pdf', 'docx']);
  expect(triggersOf(imported)).toEqual([
    ['Rotate page 3', pdf],
    ['Accept all changes in this letter', { allOf: ['docx'] }],
    ['Read me a poem', { none: true }],
  ]);
});

test('PSA-35: two lists for each skill (shape 4) are read', async () => {
  const text = JSON.stringify({
    pdf: { should_trigger: ['Rotate page 3'], should_not_trigger: ['Rotate this photo'] },
    docx: { should_trigger: [{ query: 'Accept all changes' }] },
  });
  const imported = await importSuite(text, { fileName: 'x.json' });
  expect(imported.format).toBe('trigger-lists');
  expect(triggersOf(imported)).toEqual([
    ['Rotate page 3', pdf],
    ['Rotate this photo', notPdf],
    ['Accept all changes', { allOf: ['docx'] }],
  ]);
});

test('PSA-35: items with a version of their schema (shape 5, apm) keep their ids, splits and notes', async () => {
  const imported = await importFixture('apm.json', { skill: 'pdf' });
  expect(imported.format).toBe('apm');
  expect(triggersOf(imported)).toEqual([
    ['Rotate page 3', pdf],
    ['Rotate this photo', notPdf],
  ]);
  expect(caseOf(imported, 't-1')).toMatchObject({ tags: ['split-train'], title: 'plain' });
  expect(caseOf(imported, 't-2')).toMatchObject({ tags: ['split-test'] });
  expect(imported.notes).toEqual([]);
});

test('PSA-35: queries of several skills (shape 6) want a skill, forbid others, or want none at all', async () => {
  const imported = await importFixture('multi-skill.yaml');
  expect(imported.format).toBe('multi-skill');
  expect(imported.suite.skills).toEqual(['pdf', 'docx']);
  expect(triggersOf(imported)).toEqual([
    ['Rotate page 3', { allOf: ['pdf'], none: ['docx', 'xlsx'] }],
    ['Read me a poem', { none: true }],
    ['Accept all changes in this letter', { allOf: ['docx'] }],
  ]);
  expect(caseOf(imported, 't-pdf-001').tags).toEqual(['should-trigger']);
  expect(notesOf(imported)).toEqual(['changed trigger_evals.1.expected_not_skills']);
});

test('PSA-35: prompts of waza (shape 7) keep reason and confidence', async () => {
  const imported = await importFixture('waza.yaml');
  expect(imported.format).toBe('waza');
  expect(triggersOf(imported)).toEqual([
    ['Rotate page 3', pdf],
    ['Merge these two', pdf],
    ['Rotate this photo', notPdf],
  ]);
  expect(caseOf(imported, 'rotate-page-3')).toMatchObject({ title: 'Names a page', tags: ['confidence-high'] });
  expect(imported.notes).toEqual([]);
});

test('PSA-35: evals that say whether the skill is to be used (shape 8, fede0089) are trigger cases without, and tasks with anything to judge', async () => {
  const imported = await importFixture('kind-trigger.json');
  expect(imported.format).toBe('kind-trigger');
  expect(imported.suite.cases.map(({ id, kind }) => [id, kind])).toEqual([
    ['1', 'trigger'],
    ['2', 'trigger'],
    ['3', 'task'],
  ]);
  expect(triggersOf(imported).map(([, skills]) => skills)).toEqual([
    { allOf: ['license'] },
    { none: ['license'] },
    { allOf: ['license'] },
  ]);
  expect(caseOf(imported, '3').expected.output).toEqual([
    { kind: 'rubric', statement: 'A file LICENSE was created', negated: false },
  ]);
  expect(notesOf(imported)).toEqual(['kept evals.2.expectations.0']);
});

test('PSA-35: a document of the kind trigger with positive and negative (shape 8, agent-exam) is read', async () => {
  const imported = await importFixture('agent-exam.yaml');
  expect(imported.format).toBe('kind-trigger');
  expect(triggersOf(imported)).toEqual([
    ['Release version 2.1', { allOf: ['github-release'] }],
    ['What is a release?', { none: ['github-release'] }],
  ]);
  expect(imported.suite.cases[0]).toMatchObject({ title: 'Does the release skill fire?', tags: ['smoke'] });
  expect(notesOf(imported)).toEqual(['dropped timeout_seconds']);
});

test('PSA-35: cases of dotnet (shape 9) want a skill, forbid others and allow optional ones; the evidence is noted', async () => {
  const imported = await importFixture('dotnet.json');
  expect(imported.format).toBe('dotnet');
  expect(triggersOf(imported)).toEqual([
    ['My build fails with MSB4018', { allOf: ['msbuild'], none: ['nuget'] }],
    ['Which package has this type?', { allOf: ['nuget', 'sdk'], none: ['msbuild'] }],
  ]);
  expect(imported.suite.cases[1]?.tags).toEqual(['category-near-miss']);
  expect(imported.suite.cases[0]?.id).toBe('build-001');
  expect(notesOf(imported)).toEqual(['changed 0.optional_skills', 'dropped 0.required_all_evidence']);
});

test('PSA-35: cases of dotnet (shape 9) in a wrapper, with a prompt, that only forbid skills, are read', async () => {
  const entry = { case_id: 'a', prompt: 'Write a poem', expected_skill: '', disallowed_skills: ['msbuild'] };
  const imported = await importSuite(JSON.stringify({ cases: [entry] }), { fileName: 'cases.json' });
  expect(imported.format).toBe('dotnet');
  expect(imported.suite.skills).toEqual(['msbuild']);
  expect(triggersOf(imported)).toEqual([['Write a poem', { none: ['msbuild'] }]]);
});

test('PSA-35: each of the nine shapes, once imported, is a suite that our own format holds', async () => {
  const names = [
    'trigger-list.json',
    'trigger-wrapper.json',
    'trigger-keys.json',
    'trigger-lists.json',
    'trigger-lists-by-skill.yaml',
    'apm.json',
    'multi-skill.yaml',
    'waza.yaml',
    'kind-trigger.json',
    'agent-exam.yaml',
    'dotnet.json',
  ];
  for (const name of names) {
    const { suite } = await importFixture(name, { skill: 'pdf' });
    expect(await parseSuite(formatSuite(suite), { fileName: name.replace(/json$/u, 'yaml') }), name).toEqual(suite);
  }
});

test('PSA-35: a query that stays where it is keeps its id when others are put before it', async () => {
  const ids = async (queries: readonly string[]) => {
    const text = JSON.stringify(queries.map((query) => ({ query, should_trigger: true })));
    const { suite } = await importSuite(text, { fileName: 'x.json', skill: 'pdf' });
    return suite.cases.map(({ id }) => id);
  };
  const [before] = await ids(['把第三页旋转一下']);
  const after = await ids(['Rotate page 3', '把第三页旋转一下']);
  expect(after[1]).toBe(before);
  expect(after[0]).toBe('rotate-page-3');
});

test('PSA-35: a list that says nothing of its skill is about the folder around evals/, or is refused with what to do', async () => {
  const text = fixtureText('trigger-list.json');
  const placed = await importSuite(text, { fileName: 'skills/pdf/evals/trigger-eval.json' });
  expect(placed.suite.skills).toEqual(['pdf']);
  const refused = importSuite(text, { fileName: 'trigger-eval.json' });
  await expect(refused).rejects.toSatisfy((error) => SkillsError.is(error, 'INVALID_CASE'));
  await expect(refused).rejects.toThrow('does not say which skill its queries are about');
});

test('PSA-35: rows of a table with a query and a label are read as a list is', async () => {
  const text = 'query,should_trigger,category\n"Rotate, then save",true,edit\nRotate this photo,false,\n';
  const imported = await importSuite(text, { fileName: 'queries.csv', skill: 'pdf' });
  expect(imported.format).toBe('trigger-list');
  expect(triggersOf(imported)).toEqual([
    ['Rotate, then save', pdf],
    ['Rotate this photo', notPdf],
  ]);
  expect(imported.suite.cases[0]?.tags).toEqual(['category-edit']);
});

test('PSA-35: lines of JSON are read as a list is', async () => {
  const text =
    '{"query":"Rotate page 3","should_trigger":true}\n\n{"query":"Rotate this photo","should_trigger":false}\n';
  const imported = await importSuite(text, { fileName: 'queries.jsonl', skill: 'pdf' });
  expect(triggersOf(imported)).toHaveLength(2);
});

test('PSA-35: the format is told by the shape of a file, and of what is none nothing is told', () => {
  const told = (name: string) => detectFormat(fixtureText(name), { fileName: name });
  expect(told('waza.yaml')).toBe('waza');
  expect(told('multi-skill.yaml')).toBe('multi-skill');
  expect(told('apm.json')).toBe('apm');
  expect(told('dotnet.json')).toBe('dotnet');
  expect(told('adk/criteria/test_config.json')).toBeUndefined();
  expect(detectFormat('{"name":"x","version":"1.0.0"}', { fileName: 'package.json' })).toBeUndefined();
  expect(detectFormat('{"prompts":["a"]}', { fileName: 'prompts.json' })).toBeUndefined();
  expect(detectFormat('{"tests":["a","b"],"name":"x"}', { fileName: 'plan.json' })).toBeUndefined();
  expect(detectFormat('{"a":', { fileName: 'x.json' })).toBeUndefined();
  expect(detectFormat('just a text', { fileName: 'notes.yaml' })).toBeUndefined();
});
