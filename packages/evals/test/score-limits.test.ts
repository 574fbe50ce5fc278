import { describe, expect, test } from 'vitest';
import {
  compareResults,
  formatReport,
  neededPairs,
  pairedBootstrap,
  parseReport,
  passAtK,
  mcnemarTest,
  scoreResults,
  wilsonInterval,
  type CheckResult,
  type EvalResult,
} from '../src/index.js';
import { MersenneTwister } from '../src/statistics/mersenne-twister.js';
import { signFlipTest } from '../src/statistics/sign-flip-test.js';
import { makeResult, makeTask, makeTrigger, times } from './score-data.js';

const title = 'documents';
const pdf = { skills: ['pdf'] };

function check(kind: CheckResult['kind'], verdict: CheckResult['verdict'], text = `${kind} ${verdict}`): CheckResult {
  return { kind, text, verdict, evidence: '' };
}

describe('numbers at their limits', () => {
  test('counts that cannot be are refused', () => {
    expect(() => mcnemarTest(-1, 3)).toThrow(RangeError);
    expect(() => mcnemarTest(3, -1)).toThrow(RangeError);
    expect(() => passAtK(3, 5, 1)).toThrow(RangeError);
    expect(() => wilsonInterval(1, Infinity)).toThrow(RangeError);
  });

  test('an interval of nothing begins at 0, and one of all ends at 1', () => {
    for (const total of times(300, (number) => number)) {
      expect(wilsonInterval(0, total)?.low).toBe(0);
      expect(wilsonInterval(total, total)?.high).toBe(1);
    }
  });

  test('numbers below a bound are as likely as each other, whatever the bound', () => {
    const random = new MersenneTwister(3);
    const low = times(4_000, () => random.below(3_000_000_000)).filter((drawn) => drawn < 1_294_967_296);
    // 43.2 %; without those that are drawn anew 60.3 %.
    expect(low.length / 4_000).toBeCloseTo(1_294_967_296 / 3_000_000_000, 1);
  });

  test('the bootstrap draws 10,000 times, of more than 500 units less often, and at least 2,000 times', () => {
    for (const [units, resamples] of [
      [40, 10_000],
      [1_000, 5_000],
      [4_000, 2_000],
    ] as const) {
      const differences = times(units, (number) => Math.sin(number));
      expect(pairedBootstrap(differences)).toEqual(pairedBootstrap(differences, { resamples }));
    }
  });

  test('signs are drawn where going through them would take minutes, and a tie counts as far', () => {
    const many = times(3_000, (number) => (((number * 7_919) % 2_520) + 1) / (number % 2 === 0 ? 2_520 : -2_520));
    const drawn = signFlipTest(many) * 20_001;
    expect(drawn).toBeGreaterThan(1_000);
    expect(drawn).toBeCloseTo(Math.round(drawn), 6);
    // No common denominator, and all alike: 2 of 64 choices are as far.
    const alike = times(6, () => Math.PI / 4);
    expect(signFlipTest(alike)).toBeGreaterThan(0.025);
    expect(signFlipTest(alike)).toBeLessThan(0.04);
  });

  test('a case that could not be scored leaves the interval as it is', () => {
    const cases = [...makeTask('a', 1, 3), ...makeTask('b', 4, 0), ...makeTask('c', 2, 2)];
    const more = [...cases, ...makeTask('d', 0, 2, { outcome: 'inconclusive' })];
    expect(scoreResults(more, { title }).tasks[0]?.passRate).toEqual(scoreResults(cases, { title }).tasks[0]?.passRate);
  });

  test('a resample of which F1 is undefined counts for nothing', () => {
    const results = [makeTrigger('wants', pdf, ['pdf']), makeTrigger('near', { not: ['pdf'] }, ['pdf'])];
    expect(scoreResults(results, { title }).triggers[0]?.f1?.interval).toEqual({ low: 2 / 3, high: 1 });
  });
});

describe('PSA-35: where a verdict changes', () => {
  const errors = (count: number): EvalResult[] =>
    times(count, (number) => makeResult({ case: `error-${number}`, outcome: 'error' }));
  const open = (count: number): EvalResult[] =>
    times(count, (number) => makeResult({ case: `open-${number}`, outcome: 'inconclusive' }));
  const passed = (count: number): EvalResult[] => times(count, (number) => makeResult({ case: `case-${number}` }));
  const kindOf = (results: readonly EvalResult[], thresholds = {}): string =>
    scoreResults(results, { title, thresholds }).verdict.kind;

  test('PSA-35: a fifth of errors is not yet too much, nor is half that could be scored too little', () => {
    expect(kindOf([...passed(4), ...errors(1)])).toBe('passed');
    expect(kindOf([...passed(39), ...errors(10)])).toBe('invalid');
    expect(kindOf([...passed(5), ...open(5)])).toBe('passed');
    expect(kindOf([...passed(5), ...open(6)])).toBe('invalid');
  });

  test('PSA-35: where nothing could be scored, nothing that is allowed makes it a score', () => {
    expect(kindOf(errors(3), { minScored: 0, maxErrors: 1 })).toBe('invalid');
    expect(kindOf(open(3), { minScored: 0 })).toBe('invalid');
  });

  test('PSA-35: trials that a budget ended make it incomplete, not invalid, and what failed is told', () => {
    const stopped = times(9, (number) => makeResult({ case: `stopped-${number}`, outcome: 'stopped' }));
    const failed = makeResult({ case: 'bad', outcome: 'failed' });
    const { verdict } = scoreResults([...passed(1), failed, ...stopped], { title });
    expect(verdict).toEqual({
      kind: 'incomplete',
      reasons: [
        'Of 11 trials that were planned, 9 were stopped.',
        '1 of 2 trials with scripted:a failed; all were to pass: documents/bad.',
      ],
    });
  });

  test('PSA-35: another arm than that with the skills fails no threshold, and decides where it is alone', () => {
    const results = [...passed(3), ...makeTask('case-1', 0, 1, { arm: 'old_skill' })];
    expect(kindOf(results)).toBe('passed');
    expect(kindOf(makeTask('case-1', 0, 1, { arm: 'old_skill' }))).toBe('failed');
    const triggers = [makeTrigger('one', pdf, ['pdf']), makeTrigger('one', pdf, [], { arm: 'old_skill' })];
    expect(kindOf(triggers, { minRecall: 1 })).toBe('passed');
    expect(kindOf(triggers.slice(1), { minRecall: 1 })).toBe('failed');
  });

  test('of many cases that failed five are named', () => {
    const bad = times(8, (number) => makeResult({ case: `case-${number}`, outcome: 'failed' }));
    expect(scoreResults(bad, { title }).verdict.reasons[0]).toMatch(/documents\/case-5 and 3 more\.$/u);
    expect(scoreResults(bad.slice(0, 5), { title }).verdict.reasons[0]).toMatch(/documents\/case-5\.$/u);
  });
});

describe('PSA-35: what counts in what', () => {
  test('PSA-35: checks that nobody could judge are no part of the check rate', () => {
    const checks = [check('output', 'passed'), check('output', 'failed'), check('rubric', 'not_judged')];
    const [score] = scoreResults([makeResult({ outcome: 'failed', checks })], { title }).tasks;
    expect(score?.checkRate).toMatchObject({ successes: 1, total: 2 });
  });

  test('failures are those of trials that were scored; the twenty that are most', () => {
    const many = times(25, (number) => check('output', 'failed', `text ${number}`));
    const results = [
      makeResult({ outcome: 'failed', checks: [...many, check('output', 'failed', 'text 25')] }),
      makeResult({ trial: 2, outcome: 'inconclusive', checks: [check('output', 'failed', 'open')] }),
    ];
    const failures = scoreResults(results, { title }).cases[0]?.cells[0]?.failures ?? [];
    expect(failures).toHaveLength(20);
    expect(failures[0]).toEqual({ text: 'text 25', count: 2 });
    expect(scoreResults(results.slice(1), { title }).cases[0]?.cells[0]?.failures).toEqual([]);
  });

  test('PSA-35: a lift against no skills leaves out checks of skills, actions and disclosure, and one against old skills none', () => {
    const kinds = ['skills', 'actions', 'disclosure'] as const;
    const right = [...kinds.map((kind) => check(kind, 'passed')), check('rubric', 'passed')];
    const wrong = [...kinds.map((kind) => check(kind, 'failed')), check('rubric', 'passed')];
    const results = [
      makeResult({ checks: right }),
      makeResult({ arm: 'old_skill', outcome: 'failed', checks: wrong }),
      makeResult({ arm: 'without_skill', outcome: 'failed', checks: wrong }),
    ];
    const { lifts } = scoreResults(results, { title });
    expect(lifts.map(({ arm, against, value }) => [arm, against, value])).toEqual([
      ['with_skill', 'without_skill', 0],
      ['with_skill', 'old_skill', 1],
      ['old_skill', 'without_skill', 0],
    ]);
    for (const kind of ['approvals', 'limits'] as const) {
      const broken = [check('output', 'passed'), check(kind, 'failed')];
      const pair = [
        makeResult({ checks: [check('output', 'passed')] }),
        makeResult({ arm: 'without_skill', outcome: 'failed', checks: broken }),
      ];
      expect(scoreResults(pair, { title }).lifts[0]?.value).toBe(1);
    }
  });

  test('PSA-35: of all skills that are wanted each that is missed counts; of any that would do none', () => {
    const both = ['pdf', 'docx'];
    const recallOf = (all: boolean) =>
      scoreResults([makeTrigger('one', { skills: both, all }, ['pdf'])], { title }).triggers[0]?.skills.map(
        ({ skill, recall }) => [skill, recall.successes, recall.total],
      );
    expect(recallOf(true)).toEqual([
      ['docx', 0, 1],
      ['pdf', 1, 1],
    ]);
    expect(recallOf(false)).toEqual([
      ['docx', 0, 0],
      ['pdf', 1, 1],
    ]);
  });

  test('what a trigger score counts apart are trials of cases that say what skills they want', () => {
    const results = [
      makeTrigger('one', pdf, ['pdf']),
      makeTrigger('one', pdf, [], { trial: 2, outcome: 'error' }),
      makeResult({ case: 'one', trial: 3, outcome: 'error' }),
    ];
    expect(scoreResults(results, { title }).triggers[0]).toMatchObject({ errors: 1 });
  });

  test('a judge that was never asked costs nothing, whether its price is known or not', () => {
    const judge = { calls: 0, inputTokens: 0, outputTokens: 0 };
    const { spent } = makeResult();
    expect(scoreResults([makeResult({ spent: { ...spent, judge } })], { title }).spent.judge?.cost).toBe(0);
  });

  test('a report with a share of more than all, or an interval that ends before it begins, is refused', () => {
    const report = scoreResults([makeTrigger('one', pdf, ['pdf'])], { title });
    const [score] = report.triggers;
    for (const recall of [
      { ...score!.recall, successes: 2 },
      { ...score!.recall, interval: { low: 0.9, high: 0.1 } },
    ])
      expect(() =>
        parseReport(formatReport({ ...report, triggers: [{ ...score!, recall }] }), { fileName: 'report.json' }),
      ).toThrow(expect.objectContaining({ code: 'INVALID_RESULTS' }));
  });
});

describe('PSA-35: comparisons at their limits', () => {
  const suite = (cases: number, lost: number, won = 0): [EvalResult[], EvalResult[]] => [
    times(cases, (number) => makeTrigger(`c-${number}`, pdf, number > lost && number <= lost + won ? [] : ['pdf'])),
    times(cases, (number) => makeTrigger(`c-${number}`, pdf, number <= lost ? [] : ['pdf'])),
  ];

  test('PSA-35: a probability of just the level is a change', () => {
    // 2 / 2^6
    expect(compareResults(...suite(30, 6), { alpha: 0.031_25 }).verdict).toBe('worse');
    expect(compareResults(...suite(30, 6), { alpha: 0.031_2 }).verdict).toBe('underpowered');
  });

  test('PSA-35: a case of which half passes now is lost, and one of which half passed is won', () => {
    const measures = (before: EvalResult[], after: EvalResult[]) => compareResults(before, after).measures[0];
    expect(measures(makeTask('a', 2, 0), makeTask('a', 1, 1))).toMatchObject({ lost: 1, won: 0 });
    expect(measures(makeTask('a', 1, 1), makeTask('a', 2, 0))).toMatchObject({ lost: 0, won: 1 });
    expect(measures(makeTask('a', 1, 1), makeTask('a', 0, 2))).toMatchObject({ lost: 0, won: 0 });
  });

  test('PSA-35: where as many cases as the margin needs are there, more are needed to tell the side that it is on', () => {
    const { verdict, measures } = compareResults(...suite(400, 21, 10));
    expect(verdict).toBe('underpowered');
    const discordance = 33 / 402;
    expect(neededPairs({ discordance, difference: 0.05 })).toBeLessThan(400);
    expect(measures[0]?.needed).toBe(neededPairs({ discordance, difference: 11 / 400 }));
  });

  test('PSA-35: two more pairs, one of +1 and one of −1, are all that widens an interval', () => {
    const interval = compareResults(...suite(4, 0)).measures[0]?.interval;
    expect(interval).toEqual(pairedBootstrap([0, 0, 0, 0, 1, -1]));
  });

  test('what explains a change is that of a drop, names all that was missed, and is no longer than a line', () => {
    const both = { skills: ['pdf', 'docx'], all: true };
    const [all] = compareResults([makeTrigger('one', both, ['pdf', 'docx'])], [makeTrigger('one', both, [])]).changes;
    expect(all?.why).toBe('did not choose pdf and docx');
    const any = { skills: ['pdf', 'docx'] };
    const [some] = compareResults([makeTrigger('one', any, ['pdf'])], [makeTrigger('one', any, [])]).changes;
    expect(some?.why).toBe('did not choose pdf or docx');
    const [better] = compareResults(makeTask('a', 1, 3), makeTask('a', 3, 1)).changes;
    expect(better).not.toHaveProperty('why');
    const long = { checks: [check('output', 'failed', 'x'.repeat(1_000))] };
    expect(compareResults(makeTask('a', 1, 0), makeTask('a', 0, 1, long)).changes[0]?.why).toHaveLength(300);
  });

  test('a case that was never scored is not told as one that is not scored now', () => {
    const dead = [makeResult({ outcome: 'error' })];
    expect(compareResults(dead, dead).reasons).toHaveLength(1);
  });

  test('a seed is below 2^32', () => {
    expect(() => compareResults([], [], { seed: 2 ** 32 })).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect(compareResults([], [], { seed: 2 ** 32 - 1 }).verdict).toBe('underpowered');
  });
});

test('each of very many results is looked at a number of times that does not grow with them', () => {
  const readsOf = (count: number): number => {
    let reads = 0;
    const results = times(count, (number) => {
      const result = makeTrigger(`c-${number}`, pdf, number % 5 === 0 ? [] : ['pdf']);
      const { arm } = result;
      return Object.defineProperty(result, 'arm', {
        enumerable: true,
        get: () => {
          reads += 1;
          return arm;
        },
      });
    });
    scoreResults(results, { title });
    return reads / count;
  };
  expect(readsOf(1_000)).toBeLessThan(readsOf(100) * 1.5);
});
