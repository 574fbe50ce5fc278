import { expect, test } from 'vitest';
import { completeLine } from './complete-line.js';

const skills = ['pdf', 'pdf-forms', 'table', 'acme/pdf', '日本語'];

test.each([
  ['/pd', ['/pdf', '/pdf-forms'], '/pd'],
  ['/ta', ['/table '], '/ta'],
  ['/skil', ['/skill', '/skills'], '/skil'],
  ['/skill pdf-', ['pdf-forms '], 'pdf-'],
  ['/disable t', ['table '], 't'],
  ['/日', ['/日本語 '], '/日'],
  ['/acme/', ['/acme/pdf '], '/acme/'],
  ['/nothing', [], '/nothing'],
  ['what is /pd', [], 'what is /pd'],
  ['/pdf wo', [], '/pdf wo'],
])('the end of %j may become %j', (line, candidates, typed) => {
  expect(completeLine(line, skills)).toEqual({ candidates, typed });
});

test('a slash alone may become every command and every skill', () => {
  const { candidates } = completeLine('/', skills);
  expect(candidates).toEqual(expect.arrayContaining(['/help', '/quit', '/skills', '/pdf', '/日本語']));
});

test('a name that a terminal would act on is never put on a line', () => {
  const { candidates } = completeLine('/', ['a\u001B[2J', 'b\u202Ec', 'd e', 'f\u0000', 'g\u200B', 'fine']);
  expect(candidates.filter((word) => /^\/(?:[abdfg]|fine)/u.test(word))).toEqual(['/disable', '/fine']);
});
