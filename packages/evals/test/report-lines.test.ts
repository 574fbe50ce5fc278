import { expect, test } from 'vitest';
import {
  renderRanksMarkdown,
  renderRanksText,
  renderReportMarkdown,
  renderReportText,
  scoreResults,
  type EvalReport,
  type EvalResult,
} from '../src/index.js';
import { makeRanks, makeResults } from './report-data.js';

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
  expect(text).toContain('undefined (0/0)');
  expect(text).toContain('\n  docx took 2 queries from pdf, such as Read report.pdf');
  expect(text).toContain('\n  pdf → docx (lost): Read report.pdf');
  expect(text).toMatch(/\nNot found first\n {2}pdf not found, first is pdf: /u);
  const markdown = renderRanksMarkdown(ranks, comparison);
  expect(markdown).toContain('### Against the baseline: worse');
  expect(markdown).toContain('- docx took 2 queries from pdf, such as Read report.pdf');
  expect(markdown).toContain('<details><summary>Another skill is first: 2</summary>');
  expect(renderRanksText(ranks)).not.toContain('baseline');
});
