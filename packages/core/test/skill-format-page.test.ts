import { readFileSync } from 'node:fs';
import { defaultSkillLimits, skillDiagnostics } from '@skillpack/core';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../../docs/skill-format.md', import.meta.url), 'utf8');

test('the page on the skill format lists every finding with its weights and its meaning, and no other', () => {
  const cells = page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((row) => row.length === 7 && /^`[a-z0-9-]+`$/u.test(row[1] ?? ''))
    .map(([, code, lenient, strict, meaning]) => [code?.replaceAll('`', ''), lenient, strict, meaning]);
  const shown = (weight: string): string => (weight === 'off' ? '–' : weight);
  const table = Object.entries(skillDiagnostics).map(([code, { lenient, strict, meaning }]) => [
    code,
    shown(lenient),
    shown(strict),
    meaning,
  ]);
  expect(cells.map((row) => row.join(' ')).toSorted()).toEqual(table.map((row) => row.join(' ')).toSorted());
});

test('the page names the limits that hold', () => {
  expect(defaultSkillLimits).toEqual({
    fileBytes: 1_048_576,
    frontMatterBytes: 65_536,
    keys: 500,
    depth: 32,
    values: 2000,
  });
  for (const limit of ['1 MiB', '64 KiB', '| 500 |', '| 32 |', '| 2,000 |']) {
    expect(page.replaceAll(/ +/gu, ' ')).toContain(limit);
  }
});
