import { expect, test } from 'vitest';
import {
  renderRanksMarkdown,
  renderRanksText,
  renderReportMarkdown,
  renderReportText,
  compareRanks,
  scoreResults,
  type EvalReport,
  type EvalResult,
} from '../src/index.js';
import { makeRanks, makeResults } from './report-data.js';
import { digestOf } from './score-data.js';

const results = makeResults({ cases: 30, trials: 3 });
const baseline = makeResults({ cases: 30, trials: 3, seed: 9, wrong: 0.02 });
const report = scoreResults(results, { title: 'documents', baseline });

test('PSA-35: a report as text begins with the verdict and its reasons, and has every number with its interval', () => {
  const text = renderReportText(report);
  const lines = text.split('\n');
  expect(lines[0]).toBe(
    `${{ failed: 'Failed', incomplete: 'Incomplete' }[report.verdict.kind as 'failed']}: documents`,
  );
  expect(lines.slice(1, 1 + report.verdict.reasons.length)).toEqual(
    report.verdict.reasons.map((reason) => `  ${reason}`),
  );
  const { recall } = report.triggers[0]!;
  expect(text).toContain(
    `${(recall.value! * 100).toFixed(1)} % [${(recall.interval!.low * 100).toFixed(1)}, ${(recall.interval!.high * 100).toFixed(1)}] (${recall.successes}/${recall.total})`,
  );
  expect(text).toContain(`\nAgainst the baseline: ${report.comparison!.verdict.replace('_', ' ')}\n`);
  expect(text).toMatch(/\n {2}anthropic:claude-sonnet-4-5: with skill against without skill [+−±][\d.]+ points \[/u);
  const failing = report.cases.flatMap(({ cells }) => cells).filter(({ outcomes }) => outcomes.includes('failed'));
  expect(failing.length).toBeGreaterThan(20);
  expect(text).toContain(`\n  and ${failing.length - 20} other cases\n`);
  expect(text.endsWith('\n')).toBe(true);
});

test('PSA-35: what could not be counted is called undefined, in text and in Markdown', () => {
  const [first] = results;
  const none = scoreResults([{ ...first!, outcome: 'error', kind: 'trigger', checks: [] }], { title: 'dead' });
  for (const text of [renderReportText(none), renderReportMarkdown(none)]) {
    expect(text).toContain('Invalid: dead');
    expect(text).toMatch(/undefined \(0\/0\)/u);
    expect(text).toMatch(/0 inconclusive, 1 error(?!s)/u);
    expect(text).not.toMatch(/NaN|\b0\.0 %|100\.0 %/u);
  }
});

test('PSA-35: a report as Markdown has a heading with the verdict, tables, and the failing cases folded', () => {
  const markdown = renderReportMarkdown(report);
  const lines = markdown.split('\n');
  expect(lines[0]).toMatch(/^# (?:❌ Failed|⏸️ Incomplete): documents$/u);
  expect(lines).toContain('| model | arm | precision | recall | specificity | F1 | not scored |');
  expect(markdown).toMatch(/<details><summary>Failing: \d+<\/summary>\n\n- /u);
  // Every row of a table has as many cells as its head.
  const tables = markdown.split('\n\n').filter((block) => block.startsWith('| '));
  expect(tables.length).toBe(2);
  for (const table of tables) {
    const cells = table
      .trim()
      .split('\n')
      .map((row) => row.split(/(?<!\\)\|/u).length);
    expect(new Set(cells).size).toBe(1);
  }
});

const hostile = [
  '![x](http://evil.example/x.png)',
  '[click](javascript:alert(1)) <https://evil.example> www.evil.example me@evil.example',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '</summary></details># heading',
  '@everyone #1 `code` **bold** _it_ ~~gone~~ $x$ | cell | \\| more',
  '- list\n# heading\n---\n1. one',
  '\u001B[31mred\u0007\u202Etxt.exe\u0000\uD800',
];

function hostileReport(): EvalReport {
  const bad = makeResults({ cases: hostile.length, trials: 1, arms: ['with_skill'] }).map(
    (result, index): EvalResult => {
      const text = hostile[index]!;
      const checks = [{ kind: 'output', text, verdict: 'failed', evidence: text }] as const;
      return {
        ...result,
        suite: text,
        case: text,
        model: text,
        tags: [text],
        fired: [text],
        outcome: 'failed',
        checks,
      };
    },
  );
  const { verdict, ...rest } = scoreResults(bad, { title: hostile.join('\n') });
  return { ...rest, verdict: { ...verdict, reasons: hostile } };
}

test('texts from outside change nothing of a console: no control, no turn of direction, no line of their own', () => {
  const text = renderReportText(hostileReport());
  // eslint-disable-next-line no-control-regex -- that there are none is the test
  expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]|\p{Surrogate}/u);
  expect(text).toContain('<U+001B>[31mred');
  expect(text).not.toMatch(/^1\. one|^# heading/mu);
});

test('texts from outside are no link, image, HTML, mention, issue, code or cell of Markdown', () => {
  const markdown = renderReportMarkdown(hostileReport());
  const own = markdown.replaceAll(/<\/?(?:details|summary)>|<!-- -->/gu, '');
  expect(own).not.toMatch(/<(?!U\+)/u);
  expect(markdown).not.toMatch(/(?<!\\)!?(?<!\\)\[[^\]]*(?<!\\)\]\(/u);
  expect(markdown).not.toMatch(/@[a-z]|(?<!^)(?<!^#+)#\d|:\/\/|www\.|(?<!\\)[`*~]/imu);
  expect(markdown.match(/^#+ /gmu)).toEqual(
    markdown.match(/^#+ (?:❌|Choosing|Tasks|Lift)/gmu)?.map((line) => line.split(' ')[0] + ' '),
  );
  expect(markdown.match(/<details>/gu)?.length).toBe(markdown.match(/<\/details>/gu)?.length);
});

test('a ranking says what is found first, who took queries from whom, and what is not found, as text and as Markdown', () => {
  const { ranks, comparison } = makeRanks(60);
  const text = renderRanksText(ranks, comparison);
  expect(text).toContain('Ranking without a model: 60 queries over 5 skills\n');
  expect(text).toContain('86.7 % [75.8, 93.1] (52/60)');
  expect(text).toContain('\n  docx took 2 queries from pdf, such as Read report.pdf');
  expect(text).toContain('\n  pdf → docx (lost): Read report.pdf');
  expect(text).toMatch(/\nNot found first\n {2}pdf not found, first is pdf: /u);
  const markdown = renderRanksMarkdown(ranks, comparison);
  expect(markdown).toContain('### Against the baseline: worse');
  expect(markdown).toContain('- docx took 2 queries from pdf, such as Read report.pdf');
  expect(markdown).toContain('<details><summary>Another skill is first: 2</summary>');
  expect(renderRanksText(ranks)).not.toContain('baseline');
});

test('PSA-35: that a search finds something for what wants nothing is told beside the numbers, as no score', () => {
  const { ranks } = makeRanks(60);
  const keptAway = { successes: 1, total: 3, value: 1 / 3, interval: { low: 0.06, high: 0.79 } };
  const told =
    'For 1 of 3 queries that some skill is not for, no such skill is first. That is no score: a search always finds something, and cannot leave a skill alone as a model can.';
  for (const render of [renderRanksText, renderRanksMarkdown]) {
    expect(render({ ...ranks, keptAway })).toContain(told);
    expect(render({ ...ranks, keptAway })).not.toContain('33.3 %');
    expect(render({ ...ranks, keptAway })).toContain('no measure of what a model chooses');
    // Of nothing there is nothing to tell.
    expect(render(ranks)).not.toContain('That is no score');
  }
});

test('who took queries from whom is told once, and those that are not listed are counted', () => {
  const { ranks } = makeRanks(60);
  const moved = (first: string): typeof ranks => ({
    ...ranks,
    queries: ranks.queries.map((query, index) => ({
      ...query,
      found: [`${first}-${index}`],
      wanted: [`old-${index}`],
    })),
  });
  const comparison = compareRanks(moved('old'), moved('new'));
  const text = renderRanksText(ranks, comparison);
  // Five of them are among the reasons, and twenty more are listed.
  expect(text.match(/ took 1 query from /gu)).toHaveLength(25);
  expect(text).toContain('\n  and 35 others\n');
  expect(new Set(text.match(/\S+ took 1 query/gu)).size).toBe(25);
  const markdown = renderRanksMarkdown(ranks, comparison);
  expect(markdown.match(/ took 1 query from /gu)).toHaveLength(55);
  expect(markdown).toContain('\n- and 5 others\n');
});

test('a price that is not known is not called free, and not a fault', () => {
  const [first] = results;
  const { cost: _cost, ...spent } = first!.spent;
  const judge = { calls: 2, inputTokens: 10, outputTokens: 1 };
  const unpriced = scoreResults([{ ...first!, spent: { ...spent, judge } }], { title: 'documents' });
  expect(renderReportText(unpriced)).toMatch(/^price not known, .*; besides, 2 calls of the judge: price not known$/mu);
  const free = { ...spent, cost: 0, judge: { ...judge, cost: 0.5 } };
  const priced = renderReportMarkdown(scoreResults([{ ...first!, spent: free }], { title: 'documents' }));
  expect(priced).toContain(String.raw`It took: cost \$0, `);
  expect(priced).toContain(String.raw`2 calls of the judge: cost \$0.50`);
});

test('PSA-35: only what is all, or nothing, is called so', () => {
  const [first] = results;
  const many = Array.from({ length: 10_000 }, (_unused, index): EvalResult => ({
    ...first!,
    case: `case-${index}`,
    key: digestOf(String(index)),
    kind: 'task',
    checks: [],
    outcome: index === 0 ? 'failed' : 'passed',
  }));
  const text = renderReportText(scoreResults(many, { title: 'documents' }));
  expect(text).toContain('> 99.9 % [99.9, 100.0] (9999/10000)');
  expect(text).not.toMatch(/100\.0 % \[[^\]]*\] \(9999/u);
  const other = many.map(
    (result) => ({ ...result, outcome: result.outcome === 'passed' ? 'failed' : 'passed' }) as const,
  );
  expect(renderReportText(scoreResults(other, { title: 'documents' }))).toContain('< 0.1 % [0.0, 0.1] (1/10000)');
});

test('numbers are told as a person says them', () => {
  const spentOf = (given: Partial<EvalResult['spent']>): string => {
    const { spent } = report;
    return renderReportText({ ...report, spent: { ...spent, ...given } });
  };
  const durations: readonly (readonly [number, string])[] = [
    [0, '0 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [59_940, '59.9 s'],
    [59_960, '1 min 0 s'],
    [3_599_400, '59 min 59 s'],
    [3_599_600, '1 h 0 min'],
    [11_520_000, '3 h 12 min'],
  ];
  for (const [duration, told] of durations) expect(spentOf({ duration })).toContain(`, ${told} of trials`);
  for (const [cost, told] of [
    [0.000_05, '< $0.0001'],
    [0.004_2, '$0.0042'],
    [1.267, '$1.27'],
  ] as const)
    expect(spentOf({ cost })).toContain(`cost ${told}, `);
  for (const [inputTokens, told] of [
    [999, '999'],
    [18_400, '18,400'],
    [1_234_567.891_2, '1,234,567.8912'],
  ] as const)
    expect(spentOf({ inputTokens })).toContain(` ${told} tokens in`);
});
