import { expect, test } from 'vitest';
import { makeEntry } from '../../../test/context/make-entry.js';
import { chooseLevels, type CatalogueCandidate } from './catalogue-levels.js';

const costs = { full: 10, short: 5, name: 1 };

function levelsOf(candidates: readonly CatalogueCandidate[], budget: number): readonly string[] {
  const levels = chooseLevels(candidates, (_, level) => costs[level], budget);
  return candidates.map(({ entry }) => levels.get(entry) ?? 'none');
}

function candidatesOf(count: number, change: (at: number) => Partial<CatalogueCandidate>): CatalogueCandidate[] {
  return Array.from({ length: count }, (_, at) => ({
    entry: makeEntry({ name: `s${at}` }),
    pinned: false,
    relevant: false,
    ...change(at),
  }));
}

test('relevant skills take half of the budget, so that all the others have their names', () => {
  const candidates = candidatesOf(12, (at) => ({ relevant: at < 4 }));
  // 20 tokens: two in full take 10 at most, so one is, and names are left for the others.
  expect(levelsOf(candidates, 20)).toEqual(['full', ...Array<string>(10).fill('name'), 'hidden']);
});
