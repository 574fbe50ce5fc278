import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareTrees } from './fixtures/compare-trees.ts';
import { chanceOf, textOf } from './fixtures/seeded-text.ts';
import { skillText, writeSkill } from './fixtures/skill-files.ts';
import type { Outcome } from './measure/run-race.ts';
import { growthTable } from './report/growth-table.ts';
import { resultTable } from './report/result-table.ts';
import { misses, verdictOn } from './report/verdict.ts';
import { writeSection } from './report/write-section.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skillpack-bench-report-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const outcome: Outcome = {
  id: 'noop',
  job: 'nothing',
  rounds: 3,
  ours: { name: 'ours', milliseconds: 300, cpuMilliseconds: 250.4 },
  peakBytes: 121_000_000,
  comparisons: [
    { rival: { name: 'theirs', milliseconds: 100, cpuMilliseconds: 90 }, ratio: 3, bar: 2.5, aim: 2 },
    { rival: { name: 'other', absent: 'not installed' }, bar: 1 },
  ],
};

test('a ratio is judged by bar and aim; both may be reached exactly', () => {
  const limits = { bar: 2, aim: 1.5 };
  expect([1.5, 1.51, 2, 2.01].map((ratio) => verdictOn(ratio, limits))).toEqual(['aim', 'bar', 'bar', 'missed']);
  expect(verdictOn(undefined, limits)).toBe('shown');
  expect(verdictOn(9, {})).toBe('shown');
});

test('a miss is a ratio or a memory beyond its bar, and nothing that was not measured', () => {
  expect(misses([outcome])).toEqual(['noop: 3.00 × theirs, the bar is 2.5', 'noop: 121 MB, the bar is 120 MB']);
  expect(misses([{ ...outcome, peakBytes: 120_000_000, comparisons: [] }])).toEqual([]);
});

test('the table has a line for each reference', () => {
  expect(resultTable([outcome])).toBe(
    `
| row  | ours | CPU | reference | takes |  CPU | ratio | bar | aim | verdict       | peak MB |
| ---- | ---: | --: | --------- | ----: | ---: | ----: | --: | --: | ------------- | ------: |
| noop |  300 | 250 | theirs    |   100 | 90.0 |  3.00 | 2.5 |   2 | **missed**    | **121** |
|      |      |     | other     |       |      |       |   1 |     | not installed |         |
`.trim(),
  );
});

test('the exponent of growth is 1 for time in proportion and 0 for time that stays', () => {
  const large: Outcome = {
    ...outcome,
    ours: { ...outcome.ours, milliseconds: 3_000, cpuMilliseconds: 25_040 },
    comparisons: [{ rival: { name: 'theirs', milliseconds: 100, cpuMilliseconds: 90 } }],
  };
  const lines = growthTable([{ small: outcome, large }], 10).split('\n');
  expect(lines[2]).toMatch(/\| noop \| ours +\| +300 \| +3000 \| +1\.00 \| +2\.00 \| +121 \| +121 \|/u);
  expect(lines[3]).toMatch(/theirs +\| +100 \| +100 \| +0\.00 \| +0\.00 \|/u);
  expect(lines).toHaveLength(4);
});

test('a section of a page is written anew, and nothing beside it', async () => {
  const page = join(folder, 'page.md');
  writeFileSync(page, 'before\n<!-- table:begin -->\nold\n<!-- table:end -->\nafter\n');
  await writeSection(page, { name: 'table', text: 'new' });
  await writeSection(page, { name: 'table', text: 'newer' });
  expect(readFileSync(page, 'utf8')).toBe('before\n<!-- table:begin -->\n\nnewer\n\n<!-- table:end -->\nafter\n');
  await expect(writeSection(page, { name: 'other', text: '' })).rejects.toThrow(/no section/u);
});

test('trees differ by a file, a byte or an execute bit', async () => {
  const [one, two] = [join(folder, 'one'), join(folder, 'two')];
  await writeSkill(one, { name: 'pdf', files: 20, chance: chanceOf(7) });
  cpSync(one, two, { recursive: true });
  await compareTrees(one, two);
  const file = join(two, 'SKILL.md');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text.slice(0, -1)} `);
  await expect(compareTrees(one, two)).rejects.toThrow(/does not hold the bytes/u);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  await expect(compareTrees(one, two)).rejects.toThrow(/execute bit/u);
  chmodSync(file, 0o644);
  writeFileSync(join(two, 'extra'), '');
  await expect(compareTrees(one, two)).rejects.toThrow(/extra is too many/u);
  await compareTrees(one, two, { ignore: 'extra' });
  rmSync(file);
  await expect(compareTrees(one, two, { ignore: 'extra' })).rejects.toThrow(/SKILL.md is missing/u);
});

test('what fixtures hold is the same each time, compresses as text does, and has the size of skills', async () => {
  expect(textOf(1_000, chanceOf(3))).toBe(textOf(1_000, chanceOf(3)));
  expect(textOf(1_000, chanceOf(3))).not.toBe(textOf(1_000, chanceOf(4)));
  const long = textOf(1_048_576, chanceOf(5));
  expect(long).toHaveLength(1_048_576);
  const ratio = long.length / gzipSync(long).length;
  // Five files of 39 MiB have to stay below an archive of 64 MiB. How much is left beyond that depends on the zlib.
  expect(ratio).toBeGreaterThan((5 * 39) / 64);
  expect(ratio).toBeLessThan(4.5);
  expect(skillText('pdf', 4_096, chanceOf(1))).toHaveLength(4_096);
  const skill = join(folder, 'sized');
  await writeSkill(skill, { name: 'pdf', files: 20, chance: chanceOf(1) });
  const files = readdirSync(skill, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files).toHaveLength(20);
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(150_000);
});
