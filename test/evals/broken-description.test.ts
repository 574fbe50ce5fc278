import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadQueryVocabulary } from '@skillpack/core';
import { compareRanks, rankQueries, type RankComparison, type RankReport } from '@skillpack/evals';
import { sha256 } from '@skillpack/registry-fs';
import { expect, onTestFinished, test } from 'vitest';
import { builtinFolder, builtinSuites, catalogue } from './builtin-evals.ts';

const suites = (await builtinSuites('triggers')).map(({ suite }) => suite);
const vocabulary = await loadQueryVocabulary();

async function ranks(instead: readonly string[] = []): Promise<RankReport> {
  return rankQueries(suites, { registry: catalogue(instead), sha256 }, { vocabulary });
}

/** The catalogue with another description of one skill, compared with the catalogue as it is. */
async function compareWith(skill: string, description: string): Promise<RankComparison> {
  const folder = await mkdtemp(join(tmpdir(), 'skillpack-broken-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const text = await readFile(join(builtinFolder, skill, 'SKILL.md'), 'utf8');
  await mkdir(join(folder, skill));
  const changed = text.replace(/^description: .*$/mu, () => `description: ${description}`);
  expect(changed).not.toBe(text);
  await writeFile(join(folder, skill, 'SKILL.md'), changed);
  return compareRanks(await ranks(), await ranks([folder]));
}

const vague = 'A comprehensive helper that follows best practices for everyday work.';

test('PSA-35: a description that says nothing any more makes the gate fail, and the reasons name the skill, its requests and who has them now', async () => {
  const comparison = await compareWith('table', vague);
  expect(comparison.verdict).toBe('worse');
  expect(comparison.changed).toEqual(['table']);
  expect(comparison.reasons[0]).toMatch(
    /^table: 12 of 12 requests that want it found it first and do not any more: table-triggers\/.* and 7 more; taken by .* \(\d+\).*\.$/u,
  );
  expect(comparison.reasons[1]).toBe(
    'Of 47 queries that want a skill, 100.0 % were ranked right before and 74.5 % are now (lost 12, won 0, p = 0.0005): worse.',
  );
  expect(comparison.reasons[2]).toBe('Described otherwise: table.');
  // Each request that is lost is one of this skill, and each thief is named with what it took.
  const lost = comparison.moves.filter(({ lost: wasLost, rankBefore }) => wasLost && rankBefore === 1);
  expect(lost.map(({ suite, before }) => [suite, before])).toEqual(lost.map(() => ['table-triggers', 'table']));
  expect(lost).toHaveLength(12);
  expect(new Set(comparison.thefts.map(({ victim }) => victim))).toEqual(new Set(['table']));
  const stolen = comparison.thefts.flatMap(({ queries }) => queries);
  expect(stolen).toContain('table-triggers/outliers-german');
  expect(comparison.reasons.join('\n')).toContain(`${comparison.thefts[0]?.thief} took`);
});

test('PSA-35: near misses that a skill is not mistaken for any more do not make up for the requests that it lost', async () => {
  const comparison = await compareWith('release-notes', vague);
  expect(comparison).toMatchObject({ verdict: 'worse', changed: ['release-notes'], lost: 6, won: 0 });
  expect(comparison.reasons.at(-1)).toBe(
    'Beside the verdict: of 30 queries that want none, 0 are found now and were not, 4 the other way round.',
  );
});

test('a skill whose name stands in every request is found by it: what a search cannot see, the gate does not claim', async () => {
  for (const skill of ['pdf', 'skill-author']) {
    const comparison = await compareWith(skill, vague);
    expect(comparison).toMatchObject({ verdict: 'underpowered', changed: [skill] });
    expect(comparison.needed).toBeGreaterThan(100);
  }
});

test('a description that is worded otherwise and says the same loses nothing', async () => {
  const comparison = await compareWith(
    'table',
    'Draw charts of a CSV or TSV file and profile it: delimiter, encoding and header, column types, missing and distinct values, min, max, mean, median, quartiles, standard deviation, outliers, correlations, top values; SVG histograms, bar and line charts. Use when the person has a .csv, .tsv, spreadsheet export or data set and asks what is in it, to describe, explore, summarize, clean or check it, or to plot a column.',
  );
  expect(comparison).toMatchObject({ changed: ['table'], lost: 0, thefts: [] });
  expect(comparison.verdict).not.toBe('worse');
});

test('the catalogue as it is finds every request, and cannot tell near misses: it is no measure of triggering', async () => {
  const report = await ranks();
  expect(report.first).toMatchObject({ successes: 47, total: 47 });
  expect(report.keptAway.value).toBeLessThan(0.6);
});
