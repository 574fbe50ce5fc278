import fc from 'fast-check';
import { expect, test } from 'vitest';
import { neededPackages } from './needed-packages.js';

const needs = (text: string): readonly string[] => neededPackages(new TextEncoder().encode(text));
const block = (...lines: string[]): string =>
  ['# /// script', ...lines.map((line) => `# ${line}`), '# ///', ''].join('\n');

test('the packages of a block are read as they are written', () => {
  expect(needs(block('requires-python = ">=3.11"', 'dependencies = ["requests<3", "rich"]'))).toEqual([
    'requests<3',
    'rich',
  ]);
  const spread = block(
    'dependencies = [',
    '  "fastapi[all]", # a web server: ] or "not"',
    "  'rich',",
    ']',
    'x = ["y"]',
  );
  expect(needs(`#!/usr/bin/env python3\n"""Text."""\n${spread}import rich\n`)).toEqual(['fastapi[all]', 'rich']);
  expect(needs(block('dependencies = ["a"]').replaceAll('\n', '\r\n'))).toEqual(['a']);
});

test.each([
  ['no block', 'import rich'],
  ['a block of another kind', block('dependencies = ["a"]').replace('script', 'other')],
  ['a block without an end', block('dependencies = ["a"]').replace('# ///\n', '')],
  ['a block that is interrupted', block('dependencies = ["a"]', 'b').replace('# b', 'b = 1')],
  ['a line without a space', block('dependencies = ["a"]', 'b').replace('# b', '#b')],
  ['a block within a text', block('dependencies = ["a"]').replace('# ///', ' # ///')],
  ['an empty list', block('dependencies = []')],
  ['no list', block('requires-python = ">=3"')],
  ['a list of something else', block('[tool.x]', 'other-dependencies = ["a"]')],
])('%s needs nothing', (_, text) => {
  expect(needs(text)).toEqual([]);
});

test('whatever is in a file, it is read in little time, and told without an error', () => {
  const piece = fc.constantFrom('# /// script', '# ///', '#', '# dependencies = [', '# "a"', '"', '[', ']', '\n', 'x');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(Array.isArray(needs(pieces.join('\n')))).toBe(true);
    }),
  );
  expect(needs(block(`dependencies =${' '.repeat(60_000)}["a"]`))).toEqual([]);
});
