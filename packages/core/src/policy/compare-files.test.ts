import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import type { TreeFile } from '../digest/tree-digest.js';
import { compareFiles } from './compare-files.js';

const file = (path: string, text = '', executable = false): TreeFile => ({
  path,
  size: text.length,
  digest: sha256(text),
  executable,
});

test('what was added, removed and changed is named by path, also where only a file can be executed now', () => {
  const before = [file('a', '1'), file('b', '1'), file('c\u001B', '1'), file('d', '1')];
  const after = [file('a', '1'), file('b', '2'), file('d', '1', true), file('e')];
  expect(compareFiles(before, after)).toEqual({ added: ['e'], removed: ['c<U+001B>'], changed: ['b', 'd'] });
  expect(compareFiles(before, before)).toEqual({ added: [], removed: [], changed: [] });
});

test('of many, some are named, and the others are counted, so that none is hidden', () => {
  const many = Array.from({ length: 60 }, (_, at) => file(`${at}`));
  const { added, changed, more } = compareFiles([file('x', '1')], [...many, file('x', '2')]);
  expect([added.length, changed, more]).toEqual([50, ['x'], 10]);
});
