import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skillpack-bench-search-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Sources instead of what was built, so that the test needs no build. */
const sources = [
  '--conditions=skillpack-source',
  '--import',
  join(import.meta.dirname, '../test/registry/resolve-sources.ts'),
];

function bench(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...sources, join(import.meta.dirname, 'search.ts'), ...words],
    { encoding: 'utf8' },
  );
  return { exitCode: status, stdout, stderr };
}

test('rates labelled skills in each pool beside MiniSearch, and says what is missed', { timeout: 60_000 }, () => {
  const skills = [
    { id: 'a', name: 'pdf', description: 'Reads the text of a document.', path: 'pdf/SKILL.md' },
    { id: 'b', name: 'weather', description: 'Tells tomorrow’s weather.', path: 'weather/SKILL.md' },
  ];
  const queries = [
    { query: 'weather tomorrow', gold: ['b'] },
    { query: 'quantum chemistry', gold: ['a'] },
    { query: 'nobody wants this', gold: [] },
  ];
  const lines = (items: readonly unknown[]): string => items.map((item) => JSON.stringify(item)).join('\n');
  writeFileSync(join(folder, 'skills.jsonl'), lines(skills));
  writeFileSync(join(folder, 'queries.jsonl'), `${lines(queries)}\n`);
  const { stdout, exitCode, stderr } = bench('--data', folder, '--pools', '0,40', '--rounds', '1', '--check');
  expect(stderr).not.toContain('Error');
  expect(stdout).toContain('2 skills, 2 requests');
  expect(stdout).toMatch(/\| +2 \| `createSkillSearch` +\| +50\.0 \| +50\.0 \| +50\.0 \|/u);
  expect(stdout).toMatch(/\| +40 \| MiniSearch, its defaults +\|/u);
  expect(stdout).toContain('2 skills: first is 50.0, below 70.0.');
  expect(exitCode).toBe(1);
});

test('measures times of made skills where there are no labelled ones', { timeout: 60_000 }, () => {
  const { stdout, exitCode } = bench('--data', join(folder, 'nowhere'), '--pools', '0', '--rounds', '1');
  expect(stdout).toContain('nowhere has no labelled skills: only times mean anything here.');
  expect(stdout).not.toContain('Hit@1');
  expect(stdout).toMatch(/\| +145 \| `createSkillSearch` +\|/u);
  expect(exitCode).toBe(0);
});

test.each([
  [['--pools', '5,x'], '--pools wants a whole number from 0, not x.'],
  [['--rounds', '0'], '--rounds wants a whole number from 1, not 0.'],
])('%j is refused, and says why', (words, message) => {
  const { exitCode, stderr } = bench(...words);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(2);
});
