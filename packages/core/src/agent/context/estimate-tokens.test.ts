import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateTokens } from './estimate-tokens.js';

// The counts are those of the vocabulary o200k.
const counted: readonly (readonly [what: string, tokens: number, text: string])[] = [
  [
    'English',
    67,
    'Extracts text and tables from PDF files, fills in forms and merges documents. Use when the person asks about a ' +
      'PDF, a scan or a form, even where they do not name the format. Read the page of the table first; where a cell ' +
      'spans several columns, say so in the answer rather than guess what was meant.',
  ],
  [
    'Chinese',
    81,
    '从 PDF 文件中提取文字和表格,填写表单,合并文档。用户询问 PDF、扫描件或表单时使用,即使没有说明格式。先读取表格所在的页面;' +
      '如果单元格跨越多列,请在回答中说明,不要猜测其含义。必须保留原始文件,不得覆盖用户的数据。',
  ],
  [
    'TypeScript',
    80,
    'export function readLines(text: string, from = 1): readonly string[] {\n' +
      "  const lines = text.split('\\n');\n" +
      '  if (from < 1 || from > lines.length) {\n' +
      '    throw new RangeError(`Line ${from} of ${lines.length} does not exist.`);\n' +
      '  }\n' +
      '  return lines.slice(from - 1).map((line) => line.trimEnd());\n' +
      '}\n',
  ],
  [
    'JSON',
    66,
    '{\n  "name": "pdf",\n  "version": "1.4.2",\n' +
      '  "files": [{ "path": "scripts/pdf.mjs", "size": 18342, "executable": true }],\n' +
      '  "dependencies": { "acme/tables": "^2.1.0" }\n}\n',
  ],
];

test.each(counted)('the estimate for %s is within a fifth of the true count', (_, tokens, text) => {
  expect(estimateTokens(text)).toBeGreaterThan(tokens * 0.8);
  expect(estimateTokens(text)).toBeLessThan(tokens * 1.2);
});

test('a text never costs more than its lines do one by one, and nothing costs nothing', () => {
  expect(estimateTokens('')).toBe(0);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (lines) => {
      const ended = lines.map((line) => `${line.replaceAll('\n', '')}\n`);
      const apart = ended.reduce((sum, line) => sum + estimateTokens(line), 0);
      expect(estimateTokens(ended.join(''))).toBeLessThanOrEqual(apart);
    }),
  );
});

test('lone surrogates and control characters are counted, too', () => {
  expect(estimateTokens('\uD800'.repeat(10))).toBeGreaterThan(0);
  expect(estimateTokens('\u0000'.repeat(10))).toBeGreaterThan(0);
});
