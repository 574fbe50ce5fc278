import { expect, test } from 'vitest';
import { renderReportJunit, scoreResults, type EvalResult } from '../src/index.js';
import { makeResults } from './report-data.js';

const results = makeResults({ cases: 40, trials: 2, models: ['a:one', 'b:two'], wrong: 0.5 });
const report = scoreResults(results, { title: 'documents' });
const count = (...outcomes: readonly string[]) => results.filter(({ outcome }) => outcomes.includes(outcome)).length;

test('PSA-35: JUnit has a suite for each suite, model and arm, and tells failures, errors and what was skipped apart', () => {
  const xml = renderReportJunit(report, results);
  expect(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="documents" tests="320"')).toBe(true);
  expect(xml.match(/<testsuite /gu)).toHaveLength(8);
  expect(xml).toContain('<testsuite name="writing (b:two, without skill)" tests="40"');
  expect(xml.match(/<testcase /gu)).toHaveLength(results.length);
  expect([count('failed'), count('error'), count('inconclusive', 'stopped')].every((number) => number > 0)).toBe(true);
  expect(xml.match(/<failure /gu)).toHaveLength(count('failed'));
  expect(xml.match(/<error /gu)).toHaveLength(count('error'));
  expect(xml.match(/<skipped /gu)).toHaveLength(count('inconclusive', 'stopped'));
  const sums = ['failures', 'errors', 'skipped'].map((name) => {
    const numbers = [...xml.matchAll(new RegExp(`<testsuite .*? ${name}="(\\d+)"`, 'gu'))].map(([, number]) =>
      Number(number),
    );
    return numbers.reduce((sum, number) => sum + number, 0);
  });
  expect(sums).toEqual([count('failed'), count('error'), count('inconclusive', 'stopped')]);
});

test('PSA-36: a failure of JUnit names what was broken, and the event that broke it', () => {
  const xml = renderReportJunit(report, results);
  expect(xml).toMatch(
    /<failure message="load_resource of \$skill comes before run_script of \$skill" type="actions">load_resource of \$skill comes before run_script of \$skill \(event \d+\)\n {2}run_script pdf was done, and no load_resource/u,
  );
  expect(xml).toContain(
    '<error message="The server of the model does not answer: HTTP 529 (overloaded)." type="NETWORK_ERROR"/>',
  );
  expect(xml).toContain('<skipped message="stopped: The budget of $2.00 is spent."/>');
});

test('a trial that failed by no check says what ended it', () => {
  const [first] = results;
  const reason = { code: 'TURN_LIMIT' as NonNullable<EvalResult['reason']>['code'], message: 'It took 40 turns.' };
  const xml = renderReportJunit(report, [{ ...first!, outcome: 'failed', checks: [], reason }]);
  expect(xml).toContain('<failure message="It took 40 turns." type="failed"></failure>');
});

test('of a trial that was run again, the result that counts is the one that is shown', () => {
  const first = results.find(({ outcome }) => outcome === 'passed')!;
  const failed: EvalResult = { ...first, outcome: 'error', reason: { code: 'NETWORK_ERROR', message: 'It is down.' } };
  const log = [failed, first];
  const twice = scoreResults(log, { title: 'documents' });
  const xml = renderReportJunit(twice, log);
  expect(xml.match(/<testcase /gu)).toHaveLength(1);
  expect(xml).not.toContain('<error');
  expect(xml).toContain('<testsuites name="documents" tests="1" failures="0" errors="0"');
});
