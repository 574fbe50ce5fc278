import { describe, expect, test } from 'vitest';
import {
  compareResults,
  formatReport,
  neededPairs,
  parseReport,
  scoreResults,
  type EvalResult,
  type MeasureComparison,
} from '../src/index.js';
import { MersenneTwister } from '../src/statistics/mersenne-twister.js';
import { makeResult, makeTask, makeTrigger, times } from './score-data.js';

const pdf = { skills: ['pdf'] };

/** So many cases that want pdf, and so many that must not have it; those up to `broken` choose docx instead. */
function makeSuite(wanting: number, forbidding: number, broken = 0): EvalResult[] {
  return [
    ...times(wanting, (number) => makeTrigger(`wants-${number}`, pdf, number <= broken ? ['docx'] : ['pdf'])),
    ...times(forbidding, (number) => makeTrigger(`near-${number}`, { not: ['pdf'] }, [])),
  ];
}

function measure(measures: readonly MeasureComparison[], name: MeasureComparison['name']): MeasureComparison {
  const found = measures.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}

describe('PSA-35: a description that is broken', () => {
  const comparison = compareResults(makeSuite(12, 10), makeSuite(12, 10, 10));

  test('PSA-35: is worse, by the measure that it broke, with what was chosen instead', () => {
    expect(comparison.verdict).toBe('worse');
    expect(measure(comparison.measures, 'recall')).toMatchObject({
      verdict: 'worse',
      pairs: 12,
      before: 1,
      after: 2 / 12,
      lost: 10,
      won: 0,
      // 2 / 2^10
      pValue: 0.001_953_125,
    });
    expect(measure(comparison.measures, 'specificity')).toMatchObject({ difference: 0, pValue: 1 });
    expect(comparison.changes).toHaveLength(10);
    expect(comparison.changes[0]).toEqual({
      suite: 'documents',
      case: 'wants-1',
      model: 'scripted:a',
      arm: 'with_skill',
      before: 1,
      after: 0,
      why: 'chose docx instead of pdf',
    });
    expect(comparison.reasons[0]).toMatch(
      /^The pass rate of all cases with scripted:a fell from 100\.0 % to 54\.5 % over 22 cases \(−45\.5 points, interval −\d+\.\d to −\d+\.\d points, p = 0\.0059\): worse\.$/u,
    );
  });

  test('PSA-35: is better once it is mended', () => {
    const mended = compareResults(makeSuite(12, 10, 10), makeSuite(12, 10));
    expect(mended.verdict).toBe('better');
    expect(mended.changes[0]).not.toHaveProperty('why');
    expect(measure(mended.measures, 'recall').difference).toBeCloseTo(10 / 12, 12);
    // The other way round, to the last digit of the interval.
    const { low, high } = measure(mended.measures, 'recall').interval ?? { low: Number.NaN, high: Number.NaN };
    const broken = measure(comparison.measures, 'recall').interval;
    expect([low, high]).toEqual([expect.closeTo(-(broken?.high ?? 0), 6), expect.closeTo(-(broken?.low ?? 0), 6)]);
  });

  test('PSA-35: that takes what others want is told by specificity', () => {
    const greedy = makeSuite(4, 14).map((result) => makeTrigger(result.case, result.wanted ?? {}, ['pdf']));
    const { verdict, measures, changes } = compareResults(makeSuite(4, 14), greedy);
    expect(verdict).toBe('worse');
    expect(measure(measures, 'specificity')).toMatchObject({ verdict: 'worse', after: 0 });
    expect(changes[0]?.why).toBe('chose pdf, which it must not');
  });
});

describe('PSA-35: no change', () => {
  test('PSA-35: is said where the whole interval lies within the margin, and of too few cases never', () => {
    const many = compareResults(makeSuite(300, 0), makeSuite(300, 0));
    expect(many.verdict).toBe('no_change');
    for (const { interval } of many.measures) {
      expect(interval?.low).toBeGreaterThanOrEqual(-0.05);
      expect(interval?.high).toBeLessThanOrEqual(0.05);
    }
    for (const cases of [1, 3, 10, 20]) {
      const few = compareResults(makeSuite(cases, 0), makeSuite(cases, 0));
      expect(few.verdict).toBe('underpowered');
      expect(few.measures[0]?.needed).toBeGreaterThan(cases);
    }
  });

  test('PSA-35: is said of a drop that is sure and smaller than what matters', () => {
    const before = makeSuite(1_000, 0);
    const after = makeSuite(1_000, 0, 12);
    const { verdict, measures } = compareResults(before, after);
    expect(measure(measures, 'recall').pValue).toBeLessThan(0.001);
    expect(verdict).toBe('no_change');
    expect(compareResults(before, after, { margin: 0.01 }).verdict).toBe('worse');
  });
});

describe('PSA-35: too few cases', () => {
  test('PSA-35: are underpowered, with how many would do by the formula of Connor', () => {
    const { verdict, measures, reasons } = compareResults(makeSuite(10, 0), makeSuite(10, 0, 2));
    expect(verdict).toBe('underpowered');
    // 2 of 10 differ, and two more count as seen: 4 of 12. Pass rate and recall are the same here, so that is one test.
    const needed = neededPairs({ discordance: 4 / 12, difference: 0.05 });
    expect(measure(measures, 'recall')).toMatchObject({ needed, neededFor: 0.05 });
    const seen = neededPairs({ discordance: 4 / 12, difference: 0.2 });
    expect(measure(measures, 'recall').neededSeen).toBe(seen);
    expect(compareResults(makeSuite(10, 0), makeSuite(10, 0)).measures[0]).not.toHaveProperty('neededSeen');
    expect(measure(measures, 'recall').adjustedPValue).toBe(0.5);
    expect(reasons[0]).toContain(
      `too few cases to tell; about ${needed} would show a difference of 5.0 points, about ${seen} one of 20.0 points as it was seen here.`,
    );
  });

  test('PSA-35: need more for a smaller margin and a greater power', () => {
    const needed = (options: object): number =>
      compareResults(makeSuite(10, 0), makeSuite(10, 0, 2), options).measures[0]?.needed ?? 0;
    expect(needed({ margin: 0.02 })).toBeGreaterThan(needed({ margin: 0.05 }) * 5);
    expect(needed({ power: 0.95 })).toBeGreaterThan(needed({ power: 0.8 }) * 1.4);
    expect(needed({ alpha: 0.2 })).toBeLessThan(needed({ alpha: 0.05 }));
  });

  test('PSA-35: would tell, had they been as many as were said to be needed', () => {
    // A quarter of the cases change, and in all 5 points are lost: what was asked for.
    const make = (cases: number, lost: number, won: number): [EvalResult[], EvalResult[]] => [
      times(cases, (number) =>
        makeTrigger(`wants-${number}`, pdf, number > lost && number <= lost + won ? [] : ['pdf']),
      ),
      times(cases, (number) => makeTrigger(`wants-${number}`, pdf, number <= lost ? [] : ['pdf'])),
    ];
    const few = compareResults(...make(40, 6, 4));
    const needed = few.measures[0]?.needed ?? 0;
    expect(few.verdict).toBe('underpowered');
    expect(compareResults(...make(needed, Math.round(needed * 0.15), Math.round(needed * 0.1))).verdict).toBe('worse');
  });
});

describe('PSA-35: several measures', () => {
  test('PSA-35: are held together to the level by Holm', () => {
    // 6 of 30 lost: 2 / 2^6 = 0.03125.
    const alone = compareResults(makeSuite(30, 0), makeSuite(30, 0, 6));
    expect(alone.verdict).toBe('worse');
    expect(alone.measures.map(({ adjustedPValue }) => adjustedPValue)).toEqual([0.031_25, 0.031_25]);
    const other = (results: readonly EvalResult[]) =>
      results.map((result) => makeResult({ ...result, model: 'scripted:b' }));
    const two = compareResults(
      [...makeSuite(30, 0), ...other(makeSuite(30, 0))],
      [...makeSuite(30, 0, 6), ...other(makeSuite(30, 0))],
    );
    expect(two.verdict).toBe('underpowered');
    expect(two.measures[0]).toMatchObject({ pValue: 0.031_25, adjustedPValue: 0.0625 });
    // 6 of 30 differ, and two more count as seen: 8 of 32; the first of two tests is held to half of the level.
    expect(two.measures[0]?.needed).toBe(neededPairs({ discordance: 8 / 32, difference: 0.05 }, { alpha: 0.025 }));
  });

  test('PSA-35: see a change where there is none no more often than the level says', () => {
    const random = new MersenneTwister(7);
    const draw = (): EvalResult[] =>
      times(30, (number) => {
        const rate = (number % 10) / 9;
        return times(3, (trial) =>
          makeResult({ case: `case-${number}`, trial, outcome: random.next() / 2 ** 32 < rate ? 'passed' : 'failed' }),
        );
      }).flat();
    const seen = times(100, () => compareResults(draw(), draw()).verdict).filter(
      (verdict) => verdict === 'worse' || verdict === 'better',
    );
    // 5 % of 100, and three standard errors.
    expect(seen.length).toBeLessThan(100 * 0.05 + 3 * Math.sqrt(100 * 0.05 * 0.95));
  });
});

describe('PSA-35: several trials a case', () => {
  test('PSA-35: count as what they are, also where most of them still pass', () => {
    const before = times(12, (number) => makeTask(`case-${number}`, 5, 0)).flat();
    const after = times(12, (number) => makeTask(`case-${number}`, 3, 2)).flat();
    const { verdict, measures, changes } = compareResults(before, after);
    expect(verdict).toBe('worse');
    expect(measures[0]).toMatchObject({ lost: 0, won: 0, difference: expect.closeTo(-0.4, 12), pValue: 2 / 2 ** 12 });
    expect(changes[0]?.why).toBe('the answer contains "total": Done. (2 of 5 trials)');
  });

  test('PSA-35: the largest drop comes first', () => {
    const before = [...makeTask('a', 4, 0), ...makeTask('b', 4, 0), ...makeTask('c', 2, 2)];
    const after = [...makeTask('a', 3, 1), ...makeTask('b', 0, 4), ...makeTask('c', 4, 0)];
    const { changes } = compareResults(before, after);
    expect(changes.map((change) => [change.case, change.after - change.before])).toEqual([
      ['b', -1],
      ['a', -0.25],
      ['c', 0.5],
    ]);
  });
});

describe('PSA-35: a model that answers the same each time', () => {
  const scripted = { deterministic: (model: string) => model.startsWith('scripted') };
  const suite = (broken: number, given: Partial<EvalResult> = {}): EvalResult[] =>
    times(40, (number) => makeTask(`case-${number}`, number <= broken ? 0 : 2, number <= broken ? 2 : 0, given)).flat();

  test('PSA-35: is worse by one case that it fails now, whatever p says, and the reasons name it', () => {
    expect(compareResults(suite(0), suite(1)).verdict).toBe('underpowered');
    const { verdict, reasons, measures } = compareResults(suite(0), suite(1), scripted);
    expect(verdict).toBe('worse');
    expect(reasons[0]).toBe(
      '1 case that passed in the baseline fails now with scripted:a, which answers the same each time: documents/case-1.',
    );
    expect(reasons[1]).toMatch(
      /^The pass rate of all cases with scripted:a fell .* p = 1\.000\): worse, and no chance is in it\.$/u,
    );
    expect(measures).toMatchObject([{ verdict: 'worse', pValue: 1, regressions: ['documents/case-1'] }]);
    expect(measures[0]).not.toHaveProperty('needed');
    // What a report says fails.
    const report = scoreResults(suite(1), {
      title: 'documents',
      baseline: suite(0),
      compare: scripted,
      thresholds: { minPassRate: 0 },
    });
    expect(report.verdict.kind).toBe('failed');
    expect(parseReport(formatReport(report), { fileName: 'report.json' })).toEqual(report);
  });

  test('PSA-35: is worse among so many cases that one of them would not matter, and beside others that are better', () => {
    expect(compareResults(makeSuite(1_000, 0), makeSuite(1_000, 0, 1), scripted).verdict).toBe('worse');
    const mended = compareResults(suite(30), [...suite(0).slice(0, -2), ...makeTask('case-40', 0, 2)], scripted);
    expect(mended.verdict).toBe('worse');
    expect(mended.measures[0]).toMatchObject({ won: 30, lost: 1, regressions: ['documents/case-40'] });
  });

  test('PSA-35: is as it was where every case is, however few there are', () => {
    const few = suite(3).slice(0, 10);
    expect(compareResults(few, few).verdict).toBe('underpowered');
    const { verdict, reasons, measures } = compareResults(few, few, scripted);
    expect(verdict).toBe('no_change');
    expect(reasons).toEqual([
      'The pass rate of all cases with scripted:a is 40.0 % as before over 5 cases, each as it was: it answers the same each time.',
    ]);
    expect(measures).toMatchObject([{ unchanged: true }]);
    expect(measures[0]).not.toHaveProperty('needed');
    // One case more that passes is no certain gain, and nothing is as it was any more.
    const [measured] = compareResults(suite(1), suite(0), scripted).measures;
    expect(measured).toMatchObject({ verdict: 'underpowered', won: 1 });
    expect(measured).not.toHaveProperty('unchanged');
    const report = scoreResults(few, { title: 'documents', baseline: few, compare: scripted });
    expect(parseReport(formatReport(report), { fileName: 'report.json' })).toEqual(report);
  });

  test('PSA-35: names five cases, and how many more', () => {
    const [reason] = compareResults(suite(0), suite(8), scripted).reasons;
    expect(reason).toMatch(
      /^8 cases that passed in the baseline fail now .*: documents\/case-1, .*case-5 and 3 more\.$/u,
    );
  });

  test('PSA-35: tells by its measure what was chosen otherwise', () => {
    const { measures } = compareResults(makeSuite(12, 10), makeSuite(12, 10, 1), scripted);
    expect(measure(measures, 'recall')).toMatchObject({ verdict: 'worse', regressions: ['documents/wants-1'] });
    expect(measure(measures, 'specificity')).toMatchObject({ verdict: 'no_change', unchanged: true });
    expect(measure(measures, 'specificity')).not.toHaveProperty('regressions');
  });

  test('PSA-35: is not worse by what failed now and then before, by other trials, by a judge, or by errors', () => {
    const one = (before: EvalResult[], after: EvalResult[]): string => compareResults(before, after, scripted).verdict;
    expect(one(makeTask('a', 4, 1), makeTask('a', 0, 5))).toBe('underpowered');
    const later = makeTask('a', 2, 1);
    expect(one(makeTask('a', 2, 0), later)).toBe('underpowered');
    expect(one(makeTask('a', 3, 0), later)).toBe('worse');
    const judged = makeTask('a', 0, 1).map((result) =>
      makeResult({ ...result, checks: result.checks.map((check) => ({ ...check, kind: 'rubric' as const })) }),
    );
    expect(one(makeTask('a', 1, 0), judged)).toBe('underpowered');
    expect(one(makeTask('a', 1, 0), [makeResult({ case: 'a', outcome: 'error' })])).toBe('underpowered');
    expect(one(makeTask('a', 1, 0), makeTask('a', 0, 1, { input: 'Do something else.' }))).toBe('underpowered');
  });

  test('PSA-35: in another arm, or beside a model that does not, decides nothing of these', () => {
    const without = { arm: 'without_skill' } as const;
    const beside = compareResults([...suite(0), ...suite(0, without)], [...suite(0), ...suite(1, without)], scripted);
    expect(beside.verdict).toBe('no_change');
    expect(beside.reasons).toContain(
      'Beside the verdict: 1 case that passed in the baseline fails now with scripted:a in the arm without_skill, which answers the same each time: documents/case-1.',
    );
    const live = { model: 'openai:gpt' };
    expect(compareResults(suite(0, live), suite(1, live), scripted).verdict).toBe('underpowered');
    expect(compareResults([...suite(0), ...suite(0, live)], [...suite(1), ...suite(0, live)], scripted).verdict).toBe(
      'worse',
    );
  });

  test('is told by a function', () => {
    expect(() => compareResults([], [], { deterministic: ['scripted'] } as never)).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });
});

describe('what is compared', () => {
  test('the same cases, models and arms alone; the others are named', () => {
    const before = [...makeTask('a', 1, 0), ...makeTask('old', 1, 0), ...makeTask('edited', 1, 0)];
    const after = [
      ...makeTask('a', 1, 0),
      ...makeTask('new', 0, 1),
      ...makeTask('edited', 0, 1, { input: 'Do something else.' }),
    ];
    const comparison = compareResults(before, after);
    expect(comparison.measures).toMatchObject([{ pairs: 1 }]);
    expect(comparison.changes).toEqual([]);
    expect(comparison.onlyInBaseline).toEqual(['documents/old', 'documents/edited']);
    expect(comparison.onlyHere).toEqual(['documents/new', 'documents/edited']);
    expect(comparison.reasons.slice(1)).toEqual([
      'Not compared: 1 case that asks or wants something else than in the baseline: documents/edited.',
      'Not compared: 1 case of the baseline that is gone, or was not run: documents/old.',
      'Not compared: 1 case that is new: documents/new.',
    ]);
  });

  test('what is gone fails nothing by itself, and is told by five names and how many more', () => {
    const before = makeSuite(8, 0);
    const { verdict, reasons, onlyInBaseline } = compareResults(before, before.slice(0, 1), {
      deterministic: () => true,
    });
    expect(verdict).toBe('no_change');
    expect(onlyInBaseline).toHaveLength(7);
    expect(reasons.at(-1)).toBe(
      'Not compared: 7 cases of the baseline that are gone, or were not run: documents/wants-2, documents/wants-3, documents/wants-4, documents/wants-5, documents/wants-6 and 2 more.',
    );
  });

  test('a model or an arm that was not run now is told as that, and its cases not as gone', () => {
    const other = { model: 'openai:gpt', arm: 'without_skill' } as const;
    const before = [...makeTask('a', 1, 0), ...makeTask('a', 1, 0, other), ...makeTask('old', 1, 0, other)];
    const one = makeTask('a', 1, 0);
    expect(compareResults(before, one).reasons.slice(1)).toEqual([
      'Not compared: 1 case of the baseline that is gone, or was not run: documents/old.',
      'Not compared: what the baseline has with openai:gpt in the arm without_skill, as that was not run now.',
    ]);
    expect(compareResults(one, before).reasons.slice(1)).toEqual([
      'Not compared: 1 case that is new: documents/old.',
      'Not compared: what was run with openai:gpt in the arm without_skill, as the baseline has nothing of that.',
    ]);
  });

  test('PSA-35: nothing of a model that is dead: it is no better and no worse', () => {
    const dead = makeSuite(12, 10).map((result) => makeResult({ ...result, outcome: 'error' }));
    const comparison = compareResults(makeSuite(12, 10), dead);
    expect(comparison).toMatchObject({ verdict: 'underpowered', measures: [], changes: [] });
    expect(comparison.reasons).toEqual([
      'No trial was scored now: nothing can be compared.',
      expect.stringMatching(
        /^Not compared: 22 cases of which no trial was scored now: documents\/wants-1, .* and 17 more\.$/u,
      ),
    ]);
    expect(compareResults(dead, makeSuite(12, 10)).verdict).toBe('underpowered');
  });

  test('a case counts as long as one of its trials was scored on each side', () => {
    const half = [makeResult({ case: 'a' }), makeResult({ case: 'a', trial: 2, outcome: 'error' })];
    const none = half.map((result) => makeResult({ ...result, outcome: 'error' }));
    expect(compareResults(half, half).measures).toMatchObject([{ pairs: 1, before: 1, after: 1 }]);
    expect(compareResults(half, half).reasons).toHaveLength(1);
    expect(compareResults(half, none).reasons.at(-1)).toBe(
      'Not compared: 1 case of which no trial was scored now: documents/a.',
    );
  });

  test('the arm with the skills decides; that another one changed is told besides', () => {
    const arms = (withSkill: number, without: number): EvalResult[] =>
      times(40, (number) => [
        makeResult({ case: `case-${number}`, outcome: number <= withSkill ? 'passed' : 'failed' }),
        makeResult({
          case: `case-${number}`,
          arm: 'without_skill',
          outcome: number <= without ? 'passed' : 'failed',
        }),
      ]).flat();
    const comparison = compareResults(arms(30, 30), arms(30, 5));
    expect(comparison.verdict).toBe('underpowered');
    expect(comparison.reasons.at(-1)).toMatch(
      /^Beside the verdict: The pass rate of all cases with scripted:a in the arm without_skill fell from 75\.0 % to 12\.5 %/u,
    );
  });

  test('the same results are the same comparison, and another seed hardly another one', () => {
    const [before, after] = [makeSuite(40, 10), makeSuite(40, 10, 5)];
    expect(compareResults(before, after)).toEqual(compareResults(before, after));
    const [one, other] = [1, 2].map((seed) => compareResults(before, after, { seed }).measures[0]?.interval);
    expect(one?.low).toBeCloseTo(other?.low ?? Number.NaN, 1);
  });

  test('options that cannot be are refused', () => {
    for (const options of [{ alpha: 0 }, { margin: 1 }, { power: Number.NaN }, { seed: 0.5 }, { level: 1 }])
      expect(() => compareResults([], [], options)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  test('what trials say is cleaned before it explains anything', () => {
    const evil = makeTrigger('one', { skills: ['pdf'] }, ['do\u001B[2Jcx\u202E']);
    const { changes } = compareResults([makeTrigger('one', { skills: ['pdf'] }, ['pdf'])], [evil]);
    expect(changes[0]?.why).toBe('chose do<U+001B>[2Jcx<U+202E> instead of pdf');
  });
});

describe('PSA-35: a baseline without a partner', () => {
  const title = 'documents';
  const named = (results: readonly EvalResult[], model: string): EvalResult[] =>
    results.map((result) => makeResult({ ...result, model }));

  test('PSA-35: of another model compares nothing, is invalid, and names the models of both', () => {
    const before = named(makeSuite(12, 10), 'recorded:evals/recordings');
    const after = named(makeSuite(12, 10), 'openai:gpt-5');
    const comparison = compareResults(before, after);
    expect(comparison).toMatchObject({ verdict: 'underpowered', compared: 0, measures: [] });
    const reason =
      'The baseline has results of recorded:evals/recordings, these are of openai:gpt-5: nothing can be compared. Models are told apart by their names.';
    expect(comparison.reasons[0]).toBe(reason);
    const { verdict } = scoreResults(after, { title, baseline: before });
    expect(verdict).toMatchObject({ kind: 'invalid', reasons: [reason, expect.anything(), expect.anything()] });
  });

  test.each([
    ['that is empty', [], 'No trial of the baseline was scored: nothing can be compared.'],
    [
      'that was dead',
      makeSuite(3, 0).map((result) => makeResult({ ...result, outcome: 'error' })),
      'No trial of the baseline was scored: nothing can be compared.',
    ],
    [
      'of other cases',
      makeTask('other', 1, 0),
      'No case with trials that were scored is in both: nothing can be compared.',
    ],
    [
      'of another arm',
      makeSuite(12, 10).map((result) => makeResult({ ...result, arm: 'without_skill' })),
      'The baseline has results in the arm without_skill, these are in with_skill: nothing can be compared.',
    ],
  ])('PSA-35: %s is invalid, also where every trial passed', (_which, baseline, reason) => {
    const { verdict } = scoreResults(makeSuite(12, 10), { title, baseline });
    expect([verdict.kind, verdict.reasons[0]]).toEqual(['invalid', reason]);
  });

  test('PSA-35: whose arm with the skills is gone is not made up for by the other arm', () => {
    const other = makeSuite(12, 0).map((result) => makeResult({ ...result, arm: 'without_skill' }));
    expect(compareResults(other, [...makeSuite(12, 0), ...other])).toMatchObject({ compared: 0 });
  });

  test('PSA-35: excuses no case that it does not have, that asks otherwise, or that it did not score', () => {
    const before = [
      ...makeTask('kept', 1, 0),
      ...makeTask('edited', 1, 0),
      makeResult({ case: 'dead', outcome: 'error' }),
    ];
    const after = (failing: string): EvalResult[] => [
      ...makeTask('kept', 1, 0),
      ...makeTask('edited', failing === 'edited' ? 0 : 1, 1, { input: 'Do something else.' }),
      ...makeTask('dead', failing === 'dead' ? 0 : 1, 1),
      ...makeTask('new', failing === 'new' ? 0 : 1, 1),
    ];
    const judged = (results: readonly EvalResult[]) =>
      scoreResults(results, { title, baseline: before, thresholds: { minPassRate: 0.5, minPassRateCompared: 0 } })
        .verdict;
    expect(judged(after('none')).kind).toBe('passed');
    expect(judged(after('none').filter(({ case: name }) => name !== 'new'))).toMatchObject({ kind: 'passed' });
    const fails = judged([
      ...makeTask('kept', 0, 1),
      ...makeTask('new', 0, 1),
      ...makeTask('edited', 0, 1, { input: 'x' }),
    ]);
    expect(fails).toMatchObject({ kind: 'failed' });
    expect(fails.reasons[0]).toBe(
      '2 of 2 trials of cases that the baseline says nothing of with scripted:a failed; at least 50.0 % were to pass: documents/new, documents/edited.',
    );
    expect(fails.reasons.join('\n')).not.toMatch(/all were to pass/u);
  });

  test('PSA-35: with cases of their own, of one model, holds the other model to what there is without it', () => {
    const results = [...makeTask('a', 0, 1), ...named(makeTask('a', 0, 1), 'scripted:b')];
    const { verdict } = scoreResults(results, {
      title,
      baseline: makeTask('a', 0, 1),
      thresholds: { minPassRateCompared: 0 },
    });
    expect(verdict.kind).toBe('failed');
    expect(verdict.reasons[0]).toContain('of cases that the baseline says nothing of with scripted:b failed');
  });

  test('PSA-35: is no reason to call a run invalid that a budget ended first', () => {
    const stopped = makeTask('a', 1, 0).map((result) => makeResult({ ...result, outcome: 'stopped' }));
    const { verdict } = scoreResults(stopped, { title, baseline: makeTask('a', 1, 0) });
    expect(verdict.kind).toBe('incomplete');
  });
});
