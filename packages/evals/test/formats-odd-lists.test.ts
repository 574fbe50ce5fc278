import { exportSuite, importSuite, type ImportedSuite } from '@skillpack/evals';
import { expect, test } from 'vitest';

const read = async (text: string, fileName: string): Promise<ImportedSuite> =>
  importSuite(text, { fileName, skill: 'pdf' });
const inputs = ({ suite }: ImportedSuite): readonly (string | undefined)[] =>
  suite.cases.map(({ conversation: [line] }) => line?.input);

test('a list of tests of promptfoo may stand without `tests:`, and name files with more of them, which are noted', async () => {
  const found = await read('- vars: {q: Turn page 2}\n- file://more.yaml\n', 'tests.yaml');
  expect([found.format, inputs(found)]).toEqual(['promptfoo', ['Turn page 2']]);
  expect(found.notes).toContainEqual({
    kind: 'dropped',
    at: '1',
    message: 'Tests in other files are not read with this one: import each of those files.',
  });
  await expect(read('- vars: {q: Turn page 2}\n- something else\n', 'tests.yaml')).rejects.toThrow(/list of other/u);
  await expect(read('[]', 'tests.json')).rejects.toThrow('it is an empty list');
});

test('a table may have a byte order mark, quotes with line breaks in them, and commas at the end of its lines', async () => {
  const found = await read('\uFEFF"q",__expected,,\r\n"Say ""hi"", please\nnow","contains: a,b",,\r\n', 'tests.csv');
  expect(inputs(found)).toEqual(['Say "hi", please\nnow']);
  expect(found.suite.cases[0]?.expected.output).toMatchObject([{ kind: 'contains', texts: ['a,b'] }]);
  expect(found.notes).toEqual([]);
});

test('a table of which a column would be lost is refused', async () => {
  await expect(read('q,q,__expected\n1,2,contains: x\n', 'tests.csv')).rejects.toThrow('“q” is there twice');
  await expect(read('__proto__,q,__expected\n1,hi,contains: x\n', 'tests.csv')).rejects.toThrow('__proto__');
  await expect(read('q,query,__proto__\n1,hi,x\n', 'tests.csv')).rejects.toMatchObject({ code: 'INVALID_CASE' });
});

test('a conversation that is too long for a case is told of by its length, not by what it lost on the way', async () => {
  const conversation = Array.from({ length: 1000 }, (_unused, index) => ({
    user_content: { parts: [{ text: `Turn page ${index}` }] },
    final_response: { parts: [{ text: `Page ${index} is turned` }] },
  }));
  const text = JSON.stringify({ eval_set_id: 's', eval_cases: [{ eval_id: 'long', conversation }] });
  await expect(read(text, 's.evalset.json')).rejects.toThrow('it has 1000 lines, at most 100 are read');
});

test('queries that are there twice, even with both answers, stay as many as they are, there and back', async () => {
  const entries = [true, true, false].map((wanted) => ({ query: 'Turn page 2', should_trigger: wanted }));
  const lists = { should_trigger: ['Turn page 2', 'Turn page 2'], should_not_trigger: ['Turn page 2'] };
  for (const value of [entries, { queries: entries }, lists]) {
    const found = await read(JSON.stringify(value), 'triggers.json');
    const labels = found.suite.cases.map(({ expected: { skills } }) => skills?.allOf?.[0] ?? skills?.none);
    expect(labels).toEqual(['pdf', 'pdf', ['pdf']]);
    expect(new Set(found.suite.cases.map(({ id }) => id)).size).toBe(3);
    const back = await read(exportSuite(found.suite, 'trigger-list').text, 'back.json');
    expect(back.suite.cases.map(({ expected }) => expected.skills)).toEqual(
      found.suite.cases.map(({ expected }) => expected.skills),
    );
  }
});

test('what stands before and after each prompt is around the whole conversation', async () => {
  const tests = [{ vars: { q: 'page 2' }, options: { prefix: 'Please: ', suffix: ' Thanks.' } }];
  const spoken = JSON.stringify([
    { role: 'user', content: 'Turn {{q}}.' },
    { role: 'user', content: 'Save it.' },
  ]);
  for (const [prompt, lines] of [
    ['Turn {{q}}.', ['Please: Turn page 2. Thanks.']],
    [spoken, ['Please: Turn page 2.', 'Save it. Thanks.']],
  ] as const) {
    const { suite } = await read(JSON.stringify({ prompts: [prompt], tests }), 'promptfooconfig.json');
    expect(suite.cases[0]?.conversation.map(({ input }) => input)).toEqual(lines);
  }
});

test('an assertion that would hold of everything, or of nothing that can be said, is no check, and is noted', async () => {
  const odd = [
    { type: 'contains', value: '' },
    { type: 'contains-any', value: [] },
    { type: 'contains-any', value: ['a', ''] },
    { type: 'is-json', value: '[1]' },
    { type: 'is-json', value: 'no json' },
  ];
  for (const assertion of odd) {
    const found = await read(JSON.stringify({ tests: [{ vars: { q: 'Turn it' }, assert: [assertion] }] }), 'p.json');
    expect(found.suite.cases[0]?.expected.output, JSON.stringify(assertion)).toEqual([]);
    expect(found.notes.filter(({ kind }) => kind === 'dropped').length, JSON.stringify(assertion)).toBeGreaterThan(0);
  }
});

test('columns of a table that speak of the test are no variables of it', async () => {
  const found = await read('q,__description,__prefix,__expected\nTurn it,My title,Please: ,contains: x\n', 't.csv');
  expect(found.suite.cases[0]).toMatchObject({ title: 'My title', conversation: [{ input: 'Please: Turn it' }] });
  expect(found.notes).toEqual([]);
});

test('a statement that must not hold is not exported as one that must', async () => {
  const text = JSON.stringify({
    tests: [{ vars: { q: 'Turn it' }, assert: [{ type: 'not-llm-rubric', value: 'It is rude.' }] }],
  });
  const { suite } = await read(text, 'p.json');
  expect(suite.cases[0]?.expected.output).toMatchObject([{ kind: 'rubric', negated: true }]);
  const adk = exportSuite(suite, 'adk');
  expect(adk.text).not.toContain('It is rude.');
  expect(adk.notes.length).toBeGreaterThan(0);
});
