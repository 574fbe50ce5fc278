import { expect, test } from 'vitest';
import { formatSuite } from './format-suite.js';
import { parseSuite } from './parse-suite.js';

test('characters that nobody sees stand in a written suite as escapes, and are what they were when it is read', async () => {
  const { cases, ...about } = await parseSuite(
    JSON.stringify({
      formatVersion: 1,
      name: 'a',
      cases: [{ id: 'one', input: 'plain', expected: { output: ['x'] } }],
    }),
    { fileName: 'a.json' },
  );
  const odd = {
    ...about,
    cases: cases.map((each) => ({ ...each, conversation: [{ input: 'report\u202Efdp\u200B' }] })),
  };
  const text = formatSuite(odd);
  expect(text).toContain(String.raw`report\u202efdp\u200b`);
  expect(text).not.toMatch(/[\u200B\u202E]/u);
  expect(await parseSuite(text, { fileName: 'a.yaml' })).toEqual(odd);
  expect(formatSuite({ ...about, cases })).toMatch(/^formatVersion: 1\n/u);
});
