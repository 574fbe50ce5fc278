import { expect, test } from 'vitest';
import { wrapText } from './wrap-text.js';

test('lines break between words, wide characters count twice, and a word that is too wide stands alone', () => {
  expect(wrapText('let it in again', 9)).toEqual(['let it in', 'again']);
  expect(wrapText('表格 处理 x', 9)).toEqual(['表格 处理', 'x']);
  expect(wrapText('an unbreakable one', 6)).toEqual(['an', 'unbreakable', 'one']);
  expect(wrapText('', 6)).toEqual(['']);
});
