import { visibleLines } from '@skillpack/core';
import type { EvalResult } from '../results/eval-result.js';
import type { RankComparison, RankReport } from '../ranking/rank-report.js';
import type { EvalReport } from '../score/eval-report.js';
import { expectResults } from '../score/expect-results.js';
import { expectReport } from './expect-report.js';
import { countedResults } from './counted-results.js';
import { nameOfArm } from './name-of-arm.js';

/** What a search makes of the queries. */
export interface JunitRanks {
  /** @default there is no test of the ranks */
  readonly ranks?: RankReport | undefined;
  /** @default they are compared with nothing: then they pass */
  readonly rankComparison?: RankComparison | undefined;
}

/**
 * Results as XML of JUnit: a suite for each suite, model and arm, a test case for each trial. A trial that failed is a
 * `failure`, one that says nothing about the agent an `error`, one that was not decided or not run is `skipped`. Of several
 * results of one trial it has the one that the report counts. Ranks are one test case, which fails where they got worse.
 */
export function renderReportJunit(report: EvalReport, results: readonly EvalResult[], ranked: JunitRanks = {}): string {
  expectReport(report, 'renderReportJunit');
  expectResults(results, { of: 'renderReportJunit' });
  const counted = countedResults(report, results);
  const groups = Map.groupBy(counted, ({ suite, model, arm }) => JSON.stringify([suite, model, arm]));
  const suites = [...groups.values()].map(renderSuite);
  const { tests, failures, ...rest } = countsOf(counted);
  const lost = ranked.rankComparison?.verdict === 'worse' ? 1 : 0;
  const all = { tests: tests + (ranked.ranks === undefined ? 0 : 1), failures: failures + lost, ...rest };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: report.title, ...all })}>`,
    ...suites,
    ...(ranked.ranks === undefined ? [] : [renderRanks(ranked.ranks, ranked.rankComparison)]),
    '</testsuites>',
    '',
  ].join('\n');
}

function renderSuite(results: readonly EvalResult[]): string {
  const [first] = results;
  if (first === undefined) return '';
  const name = `${first.suite} (${first.model}, ${nameOfArm(first.arm)})`;
  // Of a time zone there is nothing in the format: it is UTC.
  const timestamp = results.reduce((least, { at }) => (at < least ? at : least), first.at).replace(/(?:\.\d+)?Z$/u, '');
  return [
    `  <testsuite${attributes({ name, ...countsOf(results), timestamp })}>`,
    ...results.map(renderCase),
    '  </testsuite>',
  ].join('\n');
}

function renderRanks({ queries }: RankReport, comparison: RankComparison | undefined): string {
  const worse = comparison?.verdict === 'worse';
  const counts = { tests: 1, failures: worse ? 1 : 0, errors: 0, skipped: 0, time: seconds(0) };
  const told = (comparison?.moves ?? [])
    .filter(({ lost }) => lost)
    .map(({ suite, case: id, before, after }) => `${suite}/${id}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`);
  const failure = worse
    ? `<failure${attributes({ message: comparison.reasons[0] ?? 'worse', type: 'ranks' })}>${escapeXml([...comparison.reasons, ...told].join('\n'))}</failure>`
    : '';
  const name = `${queries.length} queries ranked without a model`;
  return [
    `  <testsuite${attributes({ name: 'ranks', ...counts })}>`,
    `    <testcase${attributes({ classname: 'ranks', name, time: seconds(0) })}>${failure}</testcase>`,
    '  </testsuite>',
  ].join('\n');
}

/** How many there are of each outcome. */
interface JunitCounts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  readonly time: string;
}

function countsOf(results: readonly EvalResult[]): JunitCounts {
  const count = (...outcomes: readonly EvalResult['outcome'][]): number =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    tests: results.length,
    failures: count('failed'),
    errors: count('error'),
    skipped: count('inconclusive', 'stopped'),
    time: seconds(results.reduce((sum, { spent }) => sum + spent.duration, 0)),
  };
}

function renderCase(result: EvalResult): string {
  const { suite, model, arm, trial, spent } = result;
  const head = attributes({
    classname: `${suite}.${model}.${arm}`,
    name: `${result.case} [trial ${trial}]`,
    time: seconds(spent.duration),
  });
  const body = renderOutcome(result);
  return body === '' ? `    <testcase${head}/>` : `    <testcase${head}>${body}</testcase>`;
}

function renderOutcome({ outcome, checks, reason }: EvalResult): string {
  switch (outcome) {
    case 'passed':
      return '';
    case 'failed': {
      const failed = checks.filter(({ verdict }) => verdict === 'failed');
      const message = failed.map(({ text }) => text).join('; ') || (reason?.message ?? 'failed');
      const told = failed.map(({ text, evidence, seq }) => {
        const step = seq === undefined ? '' : ` (event ${seq})`;
        return `${text}${step}\n  ${evidence}`;
      });
      return `<failure${attributes({ message, type: failed[0]?.kind ?? 'failed' })}>${escapeXml(told.join('\n'))}</failure>`;
    }
    case 'error':
      return `<error${attributes({ message: reason?.message ?? 'error', type: reason?.code ?? 'error' })}/>`;
    case 'inconclusive':
    case 'stopped':
      return `<skipped${attributes({ message: `${outcome}: ${reason?.message ?? 'nobody could say'}` })}/>`;
  }
}

function attributes(values: object): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`)
    .join('');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

/** XML 1.0 has no place for control characters, lone surrogates, U+FFFE and U+FFFF: each is shown as its code point. */
function escapeXml(text: string): string {
  return visibleLines(text)
    .replaceAll('\uFFFE', '<U+FFFE>')
    .replaceAll('\uFFFF', '<U+FFFF>')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
