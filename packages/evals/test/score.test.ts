import { SkillsError } from '@skillpack/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareResults,
  formatReport,
  parseReport,
  rateOf,
  scoreResults,
  wilsonInterval,
  type EvalResult,
} from '../src/index.js';
import { digestOf, makeMixed, makeResult, makeTask, makeTrigger, planOf, times } from './score-data.js';

const title = 'documents';

/** What a trial took, of a model whose price nobody knows. */
function unpricedOf({ spent: { cost: _cost, ...unpriced } }: EvalResult): EvalResult['spent'] {
  return unpriced;
}
const pdf = { skills: ['pdf'] };

describe('PSA-35: triggers', () => {
  const results = [
    ...times(6, (number) => makeTrigger(`wants-${number}`, pdf, ['pdf'])),
    makeTrigger('wants-7', pdf, ['docx']),
    makeTrigger('wants-8', pdf, []),
    ...times(7, (number) => makeTrigger(`near-${number}`, { not: ['pdf'] }, number === 1 ? ['docx'] : [])),
    makeTrigger('near-8', { not: ['pdf'] }, ['pdf']),
  ];

  test('PSA-35: have precision, recall, specificity and F1 with the intervals of their counts', () => {
    const [score] = scoreResults(results, { title }).triggers;
    expect(score).toMatchObject({ truePositives: 6, falseNegatives: 2, falsePositives: 1, trueNegatives: 7 });
    expect(score?.precision).toEqual(rateOf(6, 7));
    expect(score?.recall).toEqual(rateOf(6, 8));
    expect(score?.specificity).toEqual(rateOf(7, 8));
    expect(score?.f1?.value).toBeCloseTo((2 * (6 / 7) * (6 / 8)) / (6 / 7 + 6 / 8), 12);
    expect(score?.f1?.interval?.low).toBeGreaterThan(0.4);
    expect(score?.f1?.interval?.low).toBeLessThan(0.8);
    expect(score?.f1?.interval?.high).toBeGreaterThan(0.9);
  });

  test('PSA-35: precision stays undefined where nothing was chosen, and holds no threshold', () => {
    const silent = results.map((result) => makeTrigger(result.case, result.wanted ?? {}, []));
    const report = scoreResults(silent, { title, thresholds: { minPrecision: 0.5 } });
    expect(report.triggers[0]).toMatchObject({ truePositives: 0, falsePositives: 0, f1: undefined });
    expect(report.triggers[0]?.precision).toEqual({ successes: 0, total: 0, value: undefined, interval: undefined });
    expect(report.triggers[0]?.recall.value).toBe(0);
    expect(report.verdict).toEqual({
      kind: 'failed',
      reasons: ['Precision with scripted:a is undefined, since there was nothing to count; at least 50.0 % was to be.'],
    });
  });

  test('PSA-35: errors and trials without a conclusion count in nothing but their own number', () => {
    const more: EvalResult[] = [
      makeTrigger('wants-9', pdf, [], { outcome: 'error' }),
      makeTrigger('wants-10', pdf, [], { outcome: 'inconclusive' }),
      makeTrigger('wants-11', pdf, [], { outcome: 'stopped' }),
    ];
    const [score] = scoreResults([...results, ...more], { title }).triggers;
    const [without] = scoreResults(results, { title }).triggers;
    expect(score).toEqual({ ...without, errors: 1, inconclusive: 1 });
  });

  test('PSA-35: a matrix says which skill was chosen for which', () => {
    const several = [
      makeTrigger('a', { skills: ['pdf', 'docx'], all: true }, ['pdf', 'table']),
      makeTrigger('b', { skills: ['pdf', 'docx'] }, ['table']),
      makeTrigger('c', pdf, ['pdf', 'table']),
      makeTrigger('d', {}, ['table']),
      makeTrigger('e', {}, []),
      makeTrigger('f', pdf, []),
    ];
    expect(scoreResults(several, { title }).triggers[0]?.confusion).toEqual([
      { wanted: 'docx', fired: 'table', count: 1 },
      { wanted: 'pdf', fired: 'pdf', count: 2 },
      { wanted: 'pdf', fired: 'table', count: 2, allowed: 1 },
      { wanted: 'pdf', fired: null, count: 1 },
      { wanted: null, fired: 'table', count: 1 },
      { wanted: null, fired: null, count: 1 },
    ]);
  });

  test('PSA-35: a matrix tells what a case lets be chosen from what is a mistake', () => {
    const report = scoreResults(
      [
        makeTrigger('keeps-docx-away', { not: ['docx'] }, ['pdf']),
        makeTrigger('keeps-docx-away-too', { not: ['docx'] }, ['docx', 'pdf']),
        makeTrigger('wants-none', {}, ['table']),
      ],
      { title },
    );
    expect(report.triggers[0]?.confusion).toEqual([
      { wanted: null, fired: 'docx', count: 1 },
      { wanted: null, fired: 'pdf', count: 2, allowed: 2 },
      { wanted: null, fired: 'table', count: 1 },
    ]);
    expect(parseReport(formatReport(report), { fileName: 'report.json' })).toEqual(report);
  });

  test('PSA-35: a case that wants all of several is hit by all of them alone', () => {
    const both = { skills: ['pdf', 'docx'], all: true };
    const [score] = scoreResults(
      [makeTrigger('a', both, ['pdf']), makeTrigger('b', both, ['docx', 'pdf']), makeTrigger('c', both, [])],
      { title },
    ).triggers;
    expect(score).toMatchObject({ truePositives: 1, falseNegatives: 2 });
    const either = { skills: ['pdf', 'docx'] };
    expect(scoreResults([makeTrigger('a', either, ['pdf'])], { title }).triggers[0]).toMatchObject({
      truePositives: 1,
    });
  });

  test('PSA-35: each skill has precision and recall of its own; what nobody minds is no mistake', () => {
    const several = [
      makeTrigger('a', pdf, ['pdf', 'table']),
      makeTrigger('b', pdf, ['docx']),
      makeTrigger('c', { skills: ['docx', 'pdf'] }, ['docx']),
      makeTrigger('d', { not: ['pdf'] }, ['pdf']),
      makeTrigger('e', {}, ['slides']),
      makeTrigger('f', { not: ['pdf'] }, ['slides']),
      makeTrigger('g', { skills: ['notes', 'mail'], all: true }, ['notes']),
    ];
    const skills = new Map(scoreResults(several, { title }).triggers[0]?.skills.map((score) => [score.skill, score]));
    expect(skills.get('pdf')).toMatchObject({
      precision: { successes: 1, total: 2 },
      recall: { successes: 1, total: 2 },
    });
    expect(skills.get('docx')).toMatchObject({
      precision: { successes: 1, total: 2 },
      recall: { successes: 1, total: 1 },
    });
    expect(skills.get('table')).toMatchObject({ precision: { total: 0, value: undefined }, recall: { total: 0 } });
    expect(skills.get('slides')).toMatchObject({ precision: { successes: 0, total: 1 }, recall: { total: 0 } });
    expect(skills.get('notes')).toMatchObject({
      precision: { successes: 1, total: 1 },
      recall: { successes: 1, total: 1 },
    });
    expect(skills.get('mail')).toMatchObject({ precision: { total: 0 }, recall: { successes: 0, total: 1 } });
    expect([...skills.keys()]).toEqual(['docx', 'mail', 'notes', 'pdf', 'slides', 'table']);
  });

  test('PSA-35: trials of one case are no more than the case where they all end alike', () => {
    const repeated = results.flatMap((result) =>
      times(20, (trial) => makeTrigger(result.case, result.wanted ?? {}, result.fired, { trial })),
    );
    const [once] = scoreResults(results, { title }).triggers;
    const [often] = scoreResults(repeated, { title }).triggers;
    expect(often?.recall.total).toBe(160);
    expect(often?.recall.interval?.low).toBeCloseTo(once?.recall.interval?.low ?? 0, 12);
    expect(often?.f1).toEqual(once?.f1);
  });

  test('PSA-35: an F1 without a mistake has an interval that knows how few cases there are', () => {
    const right = times(4, (number) => makeTrigger(`wants-${number}`, pdf, ['pdf']));
    const low = wilsonInterval(4, 4)?.low ?? 0;
    const { f1 } = scoreResults(right, { title }).triggers[0] ?? {};
    expect(f1).toMatchObject({ value: 1, interval: { high: 1 } });
    expect(f1?.interval?.low).toBeCloseTo((2 * low) / (1 + low), 12);
  });

  test('PSA-35: an F1 of 0 has an interval that knows how few cases there are', () => {
    const missed = times(3, (number) => makeTrigger(`wants-${number}`, pdf, []));
    const taken = makeTrigger('near', { not: ['pdf'] }, ['pdf']);
    const high = wilsonInterval(0, 4)?.high ?? 0;
    const { f1 } = scoreResults([...missed, taken], { title }).triggers[0] ?? {};
    expect(f1).toMatchObject({ value: 0, interval: { low: 0 } });
    expect(f1?.interval?.high).toBeCloseTo((2 * high) / (1 + high), 12);
  });

  test('PSA-35: an F1 with a mistake has the interval of the bootstrap, which reaches what is right in a resample', () => {
    const right = times(7, (number) => makeTrigger(`wants-${number}`, pdf, ['pdf']));
    const missed = makeTrigger('wants-8', pdf, []);
    const taken = makeTrigger('near', { not: ['pdf'] }, ['pdf']);
    for (const wrong of [[missed], [missed, taken]]) {
      const { f1 } = scoreResults([...right, ...wrong], { title }).triggers[0] ?? {};
      expect(f1?.value).toBeCloseTo(14 / (14 + wrong.length), 12);
      expect(f1?.interval?.high).toBe(1);
      expect(f1?.interval?.low).toBeLessThan(f1?.value ?? 0);
    }
  });

  test('PSA-35: the arm without the skills has no triggers, since what is wanted is not there', () => {
    const without = results.map((result) => makeResult({ ...result, arm: 'without_skill', outcome: 'failed' }));
    const report = scoreResults([...results, ...without], { title });
    expect(report.triggers.map(({ arm }) => arm)).toEqual(['with_skill']);
    expect(report.triggers).toEqual(scoreResults(results, { title }).triggers);
  });
});

describe('a model that is dead', () => {
  const dead = times(12, (number) =>
    makeTrigger(`wants-${number}`, pdf, [], {
      model: 'openai:gone',
      outcome: 'error',
      reason: { code: 'NETWORK_ERROR', message: 'Nobody answers.' },
    }),
  );

  test('PSA-35: never scores: the verdict is invalid, and no rate is 0 or 1', () => {
    const report = scoreResults(dead, { title });
    expect(report.verdict).toEqual({
      kind: 'invalid',
      reasons: [
        '12 of 12 trials with openai:gone are errors (NETWORK_ERROR: Nobody answers): nothing is said of the skills by that.',
      ],
    });
    expect(report.triggers[0]).toMatchObject({ errors: 12, f1: undefined });
    for (const measure of ['precision', 'recall', 'specificity'] as const)
      expect(report.triggers[0]?.[measure]).toEqual({ successes: 0, total: 0, value: undefined, interval: undefined });
    expect(report.cases[0]?.cells[0]?.passRate.value).toBeUndefined();
  });

  test('PSA-35: makes the whole report invalid, also beside one that lives, and whatever is allowed', () => {
    const living = times(12, (number) => makeTrigger(`wants-${number}`, pdf, ['pdf']));
    const report = scoreResults([...living, ...dead], { title, thresholds: { minPassRate: 0, minRecall: 0 } });
    expect(report.verdict.kind).toBe('invalid');
  });

  test('PSA-35: few errors are told and tolerated, as many as the threshold says', () => {
    const some = [...times(9, (number) => makeTrigger(`fine-${number}`, pdf, ['pdf'])), dead[0]!].map((result) =>
      makeResult({ ...result, model: 'scripted:a' }),
    );
    expect(scoreResults(some, { title }).verdict).toEqual({
      kind: 'passed',
      reasons: ['All 9 trials that were scored passed.', 'Not scored: 1 error (NETWORK_ERROR: Nobody answers).'],
    });
    expect(scoreResults(some, { title, thresholds: { maxErrors: 0 } }).verdict.kind).toBe('invalid');
  });

  test('PSA-35: the codes that were met most come first', () => {
    const [timeout, network] = [
      { code: 'TIMEOUT', message: 'Late.' },
      { code: 'NETWORK_ERROR', message: 'Gone.' },
    ] as const;
    const mixed = dead.map((result, index) => makeResult({ ...result, reason: index < 3 ? timeout : network }));
    expect(scoreResults(mixed, { title }).verdict.reasons[0]).toContain('(NETWORK_ERROR: Gone; also TIMEOUT)');
  });

  test('PSA-35: what was said most often is told, in one line, cleaned and shortened', () => {
    const said = (...messages: readonly string[]): string => {
      const results = messages.map((message, index) =>
        makeResult({ case: `case-${index}`, outcome: 'error', reason: { code: 'NETWORK_ERROR', message } }),
      );
      return scoreResults(results, { title }).verdict.reasons[0] ?? '';
    };
    const refused = 'connect ECONNREFUSED 127.0.0.1:1';
    expect(said('reset', refused, 'late', refused)).toContain(`are errors (NETWORK_ERROR: ${refused}): nothing`);
    expect(said('Gone:\n  the \u001B[31mserver\u202E.')).toBe(
      '1 of 1 trial with scripted:a is an error (NETWORK_ERROR: Gone: the <U+001B>[31mserver<U+202E>): nothing is said of the skills by that.',
    );
    const long = said(`${'x'.repeat(198)}\u{1F600}${'y'.repeat(1_000_000)}`);
    expect(long).toContain(`(NETWORK_ERROR: ${'x'.repeat(198)}…): `);
    expect(long.isWellFormed()).toBe(true);
    expect(said(' ')).toContain('is an error (NETWORK_ERROR): ');
  });

  test('PSA-35: a suite that nobody can judge is invalid, too', () => {
    const open = times(5, (number) => makeResult({ case: `open-${number}`, outcome: 'inconclusive' }));
    expect(scoreResults(open, { title }).verdict).toEqual({
      kind: 'invalid',
      reasons: ['Only 0 of 5 trials with scripted:a could be scored: that is too few to say anything.'],
    });
    expect(scoreResults([], { title }).verdict).toEqual({
      kind: 'invalid',
      reasons: ['There is nothing to score: no trial was run.'],
    });
  });
});

describe('PSA-35: tasks', () => {
  test('PSA-35: pass@k and pass^k are means over the cases, for each k that all of them have trials for', () => {
    const results = [...makeTask('a', 3, 1), ...makeTask('b', 1, 2)];
    const [score] = scoreResults(results, { title }).tasks;
    expect(score?.passRate).toMatchObject({ successes: 4, total: 7 });
    expect(score?.checkRate).toMatchObject({ successes: 4, total: 7 });
    // By hand, of pairs and triples: a 3 of 4, b 1 of 3.
    const expected = {
      at: [(3 / 4 + 1 / 3) / 2, (1 + 2 / 3) / 2, 1],
      hat: [(3 / 4 + 1 / 3) / 2, 3 / 6 / 2, 1 / 4 / 2],
    };
    expect(score?.passAtK.map(({ k }) => k)).toEqual([1, 2, 3]);
    for (const [at, { value, cases }] of (score?.passAtK ?? []).entries()) {
      expect(value).toBeCloseTo(expected.at[at] ?? Number.NaN, 12);
      expect(cases).toBe(2);
    }
    for (const [at, { value }] of (score?.passHatK ?? []).entries())
      expect(value).toBeCloseTo(expected.hat[at] ?? Number.NaN, 12);
  });

  test('PSA-35: a case of which no trial was scored is no part of them', () => {
    const open = makeResult({ case: 'open', outcome: 'inconclusive' });
    const [score] = scoreResults([...makeTask('a', 1, 1), open], { title }).tasks;
    expect(score?.passAtK).toEqual([
      { k: 1, value: 0.5, cases: 1 },
      { k: 2, value: 1, cases: 1 },
    ]);
  });

  test('PSA-35: a case shows its trials, and the checks that failed most', () => {
    const suites = [
      {
        name: 'documents',
        skills: [],
        cases: [
          {
            id: 'a',
            kind: 'task' as const,
            title: 'Reads a table',
            tags: [],
            conversation: [{ input: 'Read.' }],
            files: [],
            offer: { distractors: [], preload: [] },
            expected: { actions: [], output: [], disclosure: true, approvals: true },
            limits: {},
          },
        ],
      },
    ];
    const { cases } = scoreResults(makeTask('a', 1, 2, { tags: ['smoke'] }).toReversed(), { title, suites });
    expect(cases).toMatchObject([
      {
        title: 'Reads a table',
        tags: ['smoke'],
        cells: [
          {
            outcomes: ['passed', 'failed', 'failed'],
            passRate: { successes: 1, total: 3 },
            failures: [{ text: 'the answer contains "total"', count: 2 }],
          },
        ],
      },
    ]);
  });

  test('PSA-35: what was spent is the sum; a price that nobody knows leaves the sum unknown', () => {
    const judged = { calls: 1, inputTokens: 50, outputTokens: 5, cost: 0.5 };
    const [first, second] = makeTask('a', 2, 0);
    const results = [makeResult({ ...first, spent: { ...first!.spent, judge: judged } }), second!];
    expect(scoreResults(results, { title }).spent).toEqual({
      turns: 4,
      inputTokens: 200,
      outputTokens: 20,
      cost: 0.5,
      duration: 2_000,
      judge: judged,
    });
    const { cost: _price, ...unpricedJudge } = judged;
    const unknown = makeResult({ ...first, spent: { ...first!.spent, judge: unpricedJudge } });
    expect(scoreResults([unknown], { title }).spent).toMatchObject({ cost: 0.25, judge: unpricedJudge });
    const unasked = makeResult({ outcome: 'error', spent: { ...unpricedOf(first!), turns: 0 } });
    expect(scoreResults([first!, unasked], { title }).spent.cost).toBe(0.25);
    expect(scoreResults([unknown], { title }).spent.judge).not.toHaveProperty('cost');
    expect(
      scoreResults([makeResult({ ...first, spent: unpricedOf(first!) }), second!], { title }).spent.cost,
    ).toBeUndefined();
  });
});

describe('PSA-35: lifts', () => {
  test('PSA-35: are the arm with the skills minus the other one, so that an improvement is above 0', () => {
    const results = [
      ...times(8, (number) => makeTask(`case-${number}`, 1, 0)).flat(),
      ...times(8, (number) =>
        makeTask(`case-${number}`, number <= 2 ? 1 : 0, number <= 2 ? 0 : 1, { arm: 'old_skill' }),
      ).flat(),
    ];
    const [lift] = scoreResults(results, { title }).lifts;
    expect(lift).toMatchObject({ arm: 'with_skill', against: 'old_skill', pairs: 8, value: 0.75 });
    expect(lift?.interval?.low).toBeGreaterThan(0);
    expect(lift?.interval?.high).toBeLessThanOrEqual(1);
    // Whichever arm comes first.
    expect(scoreResults(results.toReversed(), { title }).lifts[0]?.value).toBe(0.75);
  });

  test('PSA-35: against no skills go by what came out: that a skill was not used is no failure there', () => {
    const used = { kind: 'skills', text: 'the skill pdf is used', evidence: '' } as const;
    const right = { kind: 'output', text: 'the answer contains "total"', verdict: 'passed', evidence: '' } as const;
    const results = times(5, (number) => [
      makeResult({ case: `case-${number}`, checks: [{ ...used, verdict: 'passed' }, right] }),
      makeResult({
        case: `case-${number}`,
        arm: 'without_skill',
        outcome: 'failed',
        checks: [{ ...used, verdict: 'failed' }, right],
      }),
    ]).flat();
    const report = scoreResults(results, { title });
    expect(report.lifts).toMatchObject([{ against: 'without_skill', pairs: 5, value: 0 }]);
    // Nor does it make the report fail.
    expect(report.verdict).toEqual({
      kind: 'passed',
      reasons: ['All 5 trials in the arm with_skill that were scored passed.'],
    });
  });

  test('PSA-35: have no value without a pair', () => {
    const results = [makeTask('a', 1, 0), makeTask('b', 1, 0, { arm: 'old_skill' })].flat();
    expect(scoreResults(results, { title }).lifts).toEqual([
      { model: 'scripted:a', arm: 'with_skill', against: 'old_skill', pairs: 0, value: undefined, interval: undefined },
    ]);
  });

  test('PSA-35: of a few cases that all improve say how little that is', () => {
    const results = times(3, (number) => [
      ...makeTask(`case-${number}`, 1, 0),
      ...makeTask(`case-${number}`, 0, 1, { arm: 'without_skill' }),
    ]).flat();
    const [lift] = scoreResults(results, { title }).lifts;
    expect(lift?.value).toBe(1);
    expect(lift?.interval?.low).toBeLessThan(0.25);
  });
});

describe('PSA-35: the verdict', () => {
  const results = [...makeTask('a', 3, 1), ...makeTask('b', 4, 0)];

  test('PSA-35: is failed where a trial fails, and passed where that many may', () => {
    expect(scoreResults(results, { title }).verdict).toEqual({
      kind: 'failed',
      reasons: ['1 of 8 trials with scripted:a failed; all were to pass: documents/a.'],
    });
    expect(scoreResults(results, { title, thresholds: { minPassRate: 0.875 } }).verdict).toEqual({
      kind: 'passed',
      reasons: ['7 of 8 trials that were scored passed; everything is within what is allowed.'],
    });
    expect(scoreResults(results, { title, thresholds: { minPassRate: 0.9 } }).verdict.reasons).toEqual([
      '1 of 8 trials with scripted:a failed; at least 90.0 % were to pass: documents/a.',
    ]);
  });

  test('PSA-35: speaks of one trial as of one', () => {
    const reasons = (passed: number, minPassRate?: number): readonly string[] =>
      scoreResults(makeTask('a', passed, 1 - passed), { title, thresholds: { minPassRate } }).verdict.reasons;
    expect(reasons(1)).toEqual(['The one trial that was scored passed.']);
    expect(reasons(0)).toEqual(['The one trial with scripted:a failed; it was to pass: documents/a.']);
    expect(reasons(0, 0.5)).toEqual([
      'The one trial with scripted:a failed; at least 50.0 % were to pass: documents/a.',
    ]);
    expect(reasons(0, 0)).toEqual(['0 of 1 trial that was scored passed; everything is within what is allowed.']);
  });

  test('PSA-35: holds triggers to their own thresholds where there are some', () => {
    const triggers = times(10, (number) => makeTrigger(`wants-${number}`, pdf, number <= 8 ? ['pdf'] : []));
    expect(scoreResults(triggers, { title }).verdict.kind).toBe('failed');
    expect(scoreResults(triggers, { title, thresholds: { minRecall: 0.8 } }).verdict.kind).toBe('passed');
    expect(scoreResults(triggers, { title, thresholds: { minRecall: 0.85 } }).verdict.reasons).toEqual([
      'Recall with scripted:a is 80.0 %; at least 85.0 % was to be.',
    ]);
    expect(scoreResults([...triggers, ...results], { title, thresholds: { minRecall: 0.8 } }).verdict.kind).toBe(
      'failed',
    );
  });

  test('PSA-35: is incomplete where a budget ended it, or a trial of the plan has no result', () => {
    const passed = makeTask('a', 4, 0);
    const stopped = passed.map((result, index) =>
      index < 3
        ? result
        : makeResult({ ...result, outcome: 'stopped', reason: { code: 'BUDGET_EXHAUSTED', message: 'Spent.' } }),
    );
    expect(scoreResults(stopped, { title }).verdict).toEqual({
      kind: 'incomplete',
      reasons: ['Of 4 trials that were planned, 1 was stopped (BUDGET_EXHAUSTED: Spent).'],
    });
    expect(scoreResults(passed.slice(1), { title, plan: planOf(passed) }).verdict).toEqual({
      kind: 'incomplete',
      reasons: ['Of 4 trials that were planned, 1 has no result.'],
    });
    expect(scoreResults([], { title, plan: planOf(passed) }).verdict.kind).toBe('incomplete');
  });

  test('PSA-35: says that it got worse than the baseline, with the numbers', () => {
    const before = times(20, (number) => makeTask(`case-${number}`, 1, 0)).flat();
    const after = times(20, (number) => makeTask(`case-${number}`, number > 9 ? 1 : 0, number > 9 ? 0 : 1)).flat();
    const report = scoreResults(after, { title, baseline: before, thresholds: { minPassRate: 0 } });
    expect(report.verdict.kind).toBe('failed');
    expect(report.verdict.reasons.slice(0, 2)).toEqual([
      'It got worse than the baseline.',
      expect.stringMatching(
        /^The pass rate of all cases with scripted:a fell from 100\.0 % to 55\.0 % over 20 cases .*: worse\.$/u,
      ),
    ]);
    expect(report.comparison).toEqual(compareResults(before, after));
    expect(scoreResults(after, { title, baseline: before, compare: { margin: 0.9 } }).comparison?.verdict).toBe(
      'no_change',
    );
    const same = scoreResults(before, { title, baseline: before });
    expect(same.verdict).toMatchObject({ kind: 'passed' });
    expect(same.verdict.reasons[1]).toBe('Against the baseline: too few cases to tell.');
    expect(scoreResults(before, { title })).not.toHaveProperty('comparison');
  });

  test('cleans what comes from outside', () => {
    const [failed] = makeTask('a\u001B[31m\u202Eb', 0, 1, { model: 'evil\u0007model' });
    const reasons = scoreResults([failed!], { title }).verdict.reasons.join('\n');
    expect(reasons).toContain('evil<U+0007>model');
    for (const hidden of ['\u0007', '\u001B', '\u202E']) expect(reasons).not.toContain(hidden);
  });
});

describe('which results count', () => {
  test('the last one of each trial, whatever was there before', () => {
    const [first] = makeTask('a', 0, 1);
    const again = makeResult({ ...first, outcome: 'passed', key: digestOf('of another skill'), checks: [] });
    expect(scoreResults([first!, again], { title }).counts).toMatchObject({ passed: 1, failed: 0, planned: 1 });
    expect(scoreResults([again, first!], { title }).counts).toMatchObject({ passed: 0, failed: 1, planned: 1 });
  });

  test('with a plan, those of its jobs alone, in its order', () => {
    const results = [...makeTask('b', 1, 0), ...makeTask('a', 1, 0), ...makeTask('gone', 0, 3)];
    const plan = planOf([results[1]!, results[0]!]);
    const report = scoreResults(results, { title, plan, reused: 1 });
    expect(report.counts).toEqual({
      passed: 2,
      failed: 0,
      inconclusive: 0,
      error: 0,
      stopped: 0,
      planned: 2,
      reused: 1,
    });
    expect(report.cases.map((score) => score.case)).toEqual(['a', 'b']);
    expect(report.plan).toBe(plan.digest);
    expect(report.verdict.kind).toBe('passed');
  });

  test('the seed is 1 unless another one is given, and moves an interval by little', () => {
    const triggers = times(40, (number) => makeTrigger(`wants-${number}`, pdf, number % 7 === 0 ? [] : ['pdf'])).concat(
      times(9, (number) => makeTrigger(`near-${number}`, { not: ['pdf'] }, number % 4 === 0 ? ['pdf'] : [])),
    );
    const [none, one, two] = [undefined, 1, 2].map((seed) => scoreResults(triggers, { title, seed }).triggers[0]?.f1);
    expect(none).toEqual(one);
    expect(two).not.toEqual(one);
    expect(two?.interval?.low).toBeCloseTo(one?.interval?.low ?? Number.NaN, 1);
    expect(scoreResults(triggers, { title }).counts.reused).toBe(0);
  });

  test('a report is as old as the newest of its results', () => {
    const results = ['2026-11-22T08:00:00.000Z', '2026-11-23T07:00:00.000Z', '2026-11-22T09:00:00.000Z'].map(
      (at, index) => makeResult({ case: `case-${index}`, at }),
    );
    expect(scoreResults(results, { title }).at).toBe('2026-11-23T07:00:00.000Z');
    expect(scoreResults([], { title })).not.toHaveProperty('at');
  });

  test('options that cannot be are refused', () => {
    const refused = (run: () => unknown, message: string): void => {
      expect(run).toThrow(expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(message) }));
    };
    refused(() => scoreResults([], { title, seed: -1 }), 'seed of scoreResults is -1');
    refused(() => scoreResults([], { title, thresholds: { minRecall: 90 } }), 'minRecall is 90');
    refused(() => scoreResults([], { title, thresholds: { minF1: 1.01 } }), 'minF1 is 1.01');
    // A name that is none, as JavaScript may hand it in.
    refused(() => scoreResults([], { title, treshold: 1 } as never), 'treshold');
    refused(() => scoreResults([], { title, thresholds: { minRecal: 1 } as never }), 'minRecal');
  });
});

describe('PSA-35: the report as JSON', () => {
  const made = makeMixed(12, 1);
  const baseline = makeMixed(12, 9);

  test('PSA-35: is read as it was written, the same text for the same results', () => {
    const report = scoreResults(made, { title, baseline });
    const text = formatReport(report);
    expect(parseReport(text, { fileName: 'report.json' })).toEqual(report);
    expect(formatReport(parseReport(text, { fileName: 'report.json' }))).toBe(text);
    expect(formatReport(scoreResults(made, { title, baseline }))).toBe(text);
    expect(parseReport(`\uFEFF${text}`, { fileName: 'report.json' })).toEqual(report);
  });

  test('is read of any results there can be', () => {
    const outcome = fc.constantFrom('passed', 'failed', 'inconclusive', 'error', 'stopped');
    const skills = fc.subarray(['pdf', 'docx', 'table']);
    const result = fc.record({
      name: fc.constantFrom('a', 'b', '__proto__', 'constructor'),
      arm: fc.constantFrom('with_skill', 'without_skill', 'old_skill'),
      trial: fc.integer({ min: 1, max: 4 }),
      outcome,
      wanted: fc.option(fc.record({ skills, all: fc.boolean(), not: skills }), { nil: undefined }),
      fired: skills,
      kind: fc.constantFrom('trigger', 'task'),
      text: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(result, { maxLength: 12 }), (many) => {
        const results = many.map(({ name, text, wanted, ...rest }) =>
          makeResult({ case: name, model: text, ...rest, ...(wanted === undefined ? {} : { wanted }) }),
        );
        const report = scoreResults(results, { title, baseline: results.slice(1) });
        expect(report.verdict.reasons.length).toBeGreaterThan(0);
        expect(parseReport(formatReport(report), { fileName: 'report.json' })).toEqual(report);
      }),
      { numRuns: 60 },
    );
  });

  test('that is none is refused, with the place', () => {
    const refusal = (text: string): string => {
      try {
        parseReport(text, { fileName: 'report.json' });
        return 'read';
      } catch (error) {
        return SkillsError.is(error) ? `${error.code}: ${error.message}` : String(error);
      }
    };
    const report = scoreResults(made, { title });
    expect(refusal('{')).toMatch(/^INVALID_RESULTS: report\.json is not a report of evals: it is not JSON/u);
    expect(refusal('[]')).toBe('INVALID_RESULTS: report.json is not a report of evals: it is no JSON object.');
    expect(refusal('{"formatVersion":2}')).toMatch(/^UNSUPPORTED_FORMAT: /u);
    expect(refusal(formatReport({ ...report, counts: { ...report.counts, passed: -1 } }))).toBe(
      'INVALID_RESULTS: report.json is not a report of evals: counts.passed is missing or something else.',
    );
    expect(refusal('['.repeat(100_000))).toMatch(/^INVALID_RESULTS/u);
    expect(refusal(`{"formatVersion":1,"title":"${'x'.repeat(64 * 1024 * 1024)}"}`)).toMatch(/at most 67108864/u);
    const polluted = formatReport(report).replace('{', '{"__proto__":{"polluted":1},');
    expect(parseReport(polluted, { fileName: 'report.json' })).toEqual(report);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
