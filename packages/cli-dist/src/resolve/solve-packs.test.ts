import { satisfiesRange, type Digest, type PackDocument, type PackName } from '@skillpack/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { candidateOf } from './candidate.js';
import { solvePacks, type SolveInput, type Solution } from './solve-packs.js';

/** Pack to version to dependencies. */
type Universe = Record<string, Record<string, Record<string, string>>>;

const digest = `sha256:${'0'.repeat(64)}` as Digest;

function documentOf(name: string, versions: Universe[string], yanked: readonly string[] = []): PackDocument {
  return {
    head: { name: name as PackName, description: '', tags: {}, deprecated: null },
    versions: Object.entries(versions).map(([version, dependencies]) => ({
      version,
      published: '2026-01-01T00:00:00Z',
      archives: [{ format: 'tgz', digest, size: 1 }],
      treeDigest: digest,
      manifest: digest,
      skills: [name],
      dependencies,
      requires: {},
      yanked: yanked.includes(version) ? 'broken' : null,
      signatures: [],
    })),
  };
}

interface Question {
  readonly yanked?: Record<string, readonly string[]>;
  readonly locked?: Record<string, string>;
  readonly moving?: readonly string[];
  readonly maxSteps?: number;
  readonly maxPacks?: number;
  /** Packs that a registry has, though their documents were not read yet. */
  readonly unread?: readonly string[];
}

function solve(universe: Universe, wanted: Record<string, string>, question: Question = {}): Solution {
  const documents: SolveInput['documents'] = new Map(
    Object.entries(universe).map(([name, versions]) => [
      name as PackName,
      { document: documentOf(name, versions, question.yanked?.[name]), registry: 'r' },
    ]),
  );
  const missing = new Set(
    [
      ...Object.values(universe).flatMap((versions) => Object.values(versions).flatMap(Object.keys)),
      ...Object.keys(wanted),
    ].filter((name) => !(name in universe) && question.unread?.includes(name) !== true),
  );
  const locked = Object.entries(question.locked ?? {}).map(([name, version]) => {
    const record = documents
      .get(name as PackName)!
      .document.versions.find((candidate) => candidate.version === version)!;
    return [name as PackName, candidateOf(name as PackName, record, 'r')] as const;
  });
  return solvePacks({
    requirements: Object.entries(wanted).map(([name, range]) => ({ name: name as PackName, range, path: [] })),
    pinned: new Map(),
    locked: new Map(locked),
    moving: new Set((question.moving ?? []) as PackName[]),
    latestFirst: new Set(),
    documents: new Map([...documents, ...[...missing].map((name) => [name as PackName, undefined] as const)]),
    maxSteps: question.maxSteps ?? 100_000,
    maxPacks: question.maxPacks ?? 100,
  });
}

/** As a resolution does it: it knows no document at first, and reads those that are needed. */
function solveInRounds(universe: Universe, wanted: Record<string, string>): string {
  const known: Universe = {};
  for (let round = 0; round < 10; round += 1) {
    const solution = solve(known, wanted, { unread: Object.keys(universe) });
    if (solution.kind !== 'needs') return solution.kind;
    for (const name of solution.names) known[name] = universe[name]!;
  }
  return 'no end';
}

function chosen(solution: Solution): Record<string, string> | string {
  if (solution.kind !== 'solved') return solution.kind;
  return Object.fromEntries<string>([...solution.packs].map(([name, { version }]) => [name, version]));
}

describe('solvePacks', () => {
  test('the newest versions that fit are chosen, and only what is needed', () => {
    const universe = {
      'o/a': { '1.0.0': { 'o/b': '^1' }, '1.1.0': { 'o/b': '^1' } },
      'o/b': { '1.0.0': {}, '1.9.0': {}, '2.0.0': {} },
      'o/c': { '1.0.0': {} },
    };
    expect(chosen(solve(universe, { 'o/a': '^1' }))).toEqual({ 'o/a': '1.1.0', 'o/b': '1.9.0' });
  });

  test('an older version is taken where the newest leads to a conflict', () => {
    const universe = {
      'o/a': { '1.0.0': { 'o/c': '^1' }, '2.0.0': { 'o/c': '^2' } },
      'o/b': { '1.0.0': { 'o/c': '^1' } },
      'o/c': { '1.0.0': {}, '2.0.0': {} },
    };
    expect(chosen(solve(universe, { 'o/a': '*', 'o/b': '*' }))).toEqual({
      'o/a': '1.0.0',
      'o/b': '1.0.0',
      'o/c': '1.0.0',
    });
  });

  test('cycles and packs that need themselves are fine', () => {
    const universe = {
      'o/a': { '1.0.0': { 'o/b': '^1', 'o/a': '^1' } },
      'o/b': { '1.0.0': { 'o/a': '^1' }, '1.1.0': { 'o/a': '^2' } },
    };
    expect(chosen(solve(universe, { 'o/a': '*' }))).toEqual({ 'o/a': '1.0.0', 'o/b': '1.0.0' });
  });

  test('prereleases only where a range names one; yanked versions only where they are locked', () => {
    const universe = { 'o/a': { '1.0.0': {}, '1.1.0': {}, '2.0.0-rc.1': {} } };
    expect(chosen(solve(universe, { 'o/a': '*' }))).toEqual({ 'o/a': '1.1.0' });
    expect(chosen(solve(universe, { 'o/a': '^2.0.0-rc.0' }))).toEqual({ 'o/a': '2.0.0-rc.1' });
    const yanked = { 'o/a': ['1.1.0'] };
    expect(chosen(solve(universe, { 'o/a': '*' }, { yanked }))).toEqual({ 'o/a': '1.0.0' });
    expect(chosen(solve(universe, { 'o/a': '*' }, { yanked, locked: { 'o/a': '1.1.0' } }))).toEqual({ 'o/a': '1.1.0' });
    expect(chosen(solve(universe, { 'o/a': '*' }, { yanked, locked: { 'o/a': '1.1.0' }, moving: ['o/a'] }))).toEqual({
      'o/a': '1.0.0',
    });
  });

  test('what is locked stays until it must or may move', () => {
    const universe = { 'o/a': { '1.0.0': {}, '1.1.0': {} } };
    const locked = { 'o/a': '1.0.0' };
    expect(chosen(solve(universe, { 'o/a': '^1' }, { locked }))).toEqual({ 'o/a': '1.0.0' });
    expect(chosen(solve(universe, { 'o/a': '^1.1' }, { locked }))).toEqual({ 'o/a': '1.1.0' });
    expect(chosen(solve(universe, { 'o/a': '^1' }, { locked, moving: ['o/a'] }))).toEqual({ 'o/a': '1.1.0' });
  });

  test('a hostile graph is given up in time', () => {
    // No two versions of neighbouring packs go together, and the clash shows only at the end.
    const universe: Universe = {};
    for (let pack = 0; pack < 30; pack += 1) {
      universe[`o/p${pack}`] = Object.fromEntries(
        Array.from({ length: 30 }, (_, version) => [
          `${version}.0.0`,
          { [`o/p${(pack + 1) % 30}`]: `${(version * 7 + 1) % 30}.0.0 || ${(version * 11 + 5) % 30}.0.0` },
        ]),
      );
    }
    const started = performance.now();
    expect(['too-complex', 'unsolvable', 'solved']).toContain(
      solve(universe, { 'o/p0': '*' }, { maxSteps: 20_000 }).kind,
    );
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test.for<{ title: string; wants: (pack: number) => Record<string, string>; asked: number }>([
    { title: 'side by side', wants: () => ({}), asked: 4_000 },
    { title: 'in one chain', wants: (pack) => (pack === 3_999 ? {} : { [`o/p${pack + 1}`]: '^1' }), asked: 1 },
  ])('four thousand packs $title are no more than four', ({ wants, asked }) => {
    const packs = Array.from({ length: 4_000 }, (_, pack) => [`o/p${pack}`, { '1.0.0': wants(pack) }] as const);
    const wanted = Object.fromEntries(packs.slice(0, asked).map(([name]) => [name, '*']));
    const solution = solve(Object.fromEntries(packs), wanted, { maxPacks: 4_000 });
    expect(solution.kind === 'solved' && solution.packs.size).toBe(4_000);
  });

  test('agrees with trying everything, on small universes', () => {
    fc.assert(
      fc.property(
        smallUniverse,
        fc.uniqueArray(fc.constantFrom('o/a', 'o/b', 'o/c', 'o/d'), { minLength: 1 }),
        (universe, roots) => {
          const wanted = Object.fromEntries(roots.map((root) => [root, '*']));
          const solution = solve(universe, wanted);
          const possible = bruteForce(universe, wanted);
          expect(solution.kind).toBe(possible ? 'solved' : 'unsolvable');
          expect(solveInRounds(universe, wanted)).toBe(solution.kind);
          if (solution.kind === 'solved') {
            expect(
              holds(universe, wanted, new Map([...solution.packs].map(([name, { version }]) => [name, version]))),
            ).toBe(true);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

const versions = ['1.0.0', '1.1.0', '2.0.0'];
const ranges = ['*', '^1', '^2', '1.0.0', '<1.1', '>=1.1', '3.x'];
const dependencies = fc.dictionary(fc.constantFrom('o/a', 'o/b', 'o/c', 'o/d', 'o/e'), fc.constantFrom(...ranges), {
  maxKeys: 3,
});
const packVersions = fc.dictionary(fc.constantFrom(...versions), dependencies, { minKeys: 1 });
const smallUniverse: fc.Arbitrary<Universe> = fc.record({
  'o/a': packVersions,
  'o/b': packVersions,
  'o/c': packVersions,
  'o/d': packVersions,
});

/** Whether any choice of versions holds. */
function bruteForce(universe: Universe, wanted: Record<string, string>): boolean {
  const names = Object.keys(universe);
  const extend = (index: number, choice: Map<string, string>): boolean => {
    const name = names[index];
    if (name === undefined) return holds(universe, wanted, choice);
    if (extend(index + 1, choice)) return true;
    return Object.keys(universe[name]!).some((version) => extend(index + 1, new Map([...choice, [name, version]])));
  };
  return extend(0, new Map());
}

function holds(universe: Universe, wanted: Record<string, string>, choice: ReadonlyMap<string, string>): boolean {
  const needs = [wanted, ...[...choice].map(([name, version]) => universe[name]![version]!)];
  return needs.every((need) =>
    Object.entries(need).every(([name, range]) => {
      const version = choice.get(name);
      return version !== undefined && satisfiesRange(version, range);
    }),
  );
}
