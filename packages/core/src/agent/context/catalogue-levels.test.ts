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

test('a relevant skill that does not fit in full is shortened, and what is left makes the first ones longer', () => {
  // Half of 12 is no room for it in full, and then not for the names of all the others.
  const one = candidatesOf(10, (at) => ({ relevant: at < 1 }));
  expect(levelsOf(one, 12)).toEqual(['short', ...Array<string>(7).fill('name'), 'hidden', 'hidden']);
  // All in full would take 50.
  expect(
    levelsOf(
      candidatesOf(5, () => ({})),
      49,
    ),
  ).toEqual(['full', 'full', 'full', 'full', 'short']);
  expect(
    levelsOf(
      candidatesOf(5, () => ({})),
      50,
    ),
  ).toEqual(['full', 'full', 'full', 'full', 'full']);
  expect(
    levelsOf(
      candidatesOf(5, () => ({})),
      13,
    ),
  ).toEqual(['short', 'short', 'name', 'name', 'name']);
  expect(
    levelsOf(
      candidatesOf(5, () => ({})),
      4,
    ),
  ).toEqual(['name', 'name', 'name', 'name', 'hidden']);
  expect(
    levelsOf(
      candidatesOf(5, (at) => ({ pinned: at === 4 })),
      12,
    ),
  ).toEqual(['name', 'name', 'hidden', 'hidden', 'full']);
});
