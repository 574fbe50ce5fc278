import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statedRules } from './stated-rules.js';

function rulesOf(...lines: readonly string[]): readonly string[] {
  return statedRules(lines.join('\n')).map(({ line, text }) => `${line}: ${text}`);
}

test('PSA-38: rules are items of lists and sentences that say must, never, always and the like', () => {
  expect(
    rulesOf(
      '# You must not read a heading as a rule',
      '- Always sign the report.',
      '- Read the report.',
      '1. Write the sums,',
      '   and NEVER round them.',
      '',
      'A sentence of no weight. Do not delete files.',
      'You don’t need to hurry! The mustard is optional.',
    ),
  ).toEqual([
    '2: Always sign the report.',
    '4: Write the sums, and NEVER round them.',
    '7: Do not delete files.',
    '7: You don’t need to hurry!',
  ]);
});

test('PSA-38: rules in Chinese, Japanese and Korean are found, sentence by sentence', () => {
  expect(
    rulesOf('先读文件。必须保留原件。谢谢。', '', '必ず確認します。次に進みます。', '', '반드시 확인하세요.'),
  ).toEqual(['1: 必须保留原件。', '3: 必ず確認します。', '5: 반드시 확인하세요.']);
});

test('PSA-38: code holds no rules, whatever its comments say', () => {
  expect(rulesOf('```sh', '# you MUST not', '```', 'You must.', '~~~', 'never', '~~~')).toEqual(['4: You must.']);
});

test('PSA-38: of too many rules, those in capitals come first, in the order of the text; each has a length', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `- ${index % 3 === 0 ? 'NEVER' : 'never'} do ${index}`);
  const rules = statedRules(lines.join('\n'), { rules: 30, length: 12 });
  expect(rules).toHaveLength(30);
  expect(rules.filter(({ text }) => text.startsWith('NEVER'))).toHaveLength(20);
  expect(rules.map(({ line }) => line)).toEqual(rules.map(({ line }) => line).toSorted((left, right) => left - right));
  expect(statedRules(`You must ${'so '.repeat(500)}`)[0]?.text).toHaveLength(240);
});

test('PSA-38: any text is read, in time that grows as it does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const rule of statedRules(text)) expect(rule.text.length).toBeLessThanOrEqual(240);
    }),
  );
  const start = performance.now();
  for (const part of ['must ', 'a. ', '- ', '`', '。', 'you must\n', '\n- never '])
    statedRules(part.repeat(1e6 / part.length));
  expect(performance.now() - start).toBeLessThan(20_000);
});
