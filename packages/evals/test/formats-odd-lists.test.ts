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
