import { expect, test } from 'vitest';
import {
  compareResults,
  parseRankReport,
  parseReport,
  renderRanksMarkdown,
  renderRanksText,
  renderReportHtml,
  renderReportJunit,
  renderReportMarkdown,
  renderReportText,
  scoreResults,
  type EvalResult,
  type ReportPage,
} from '../src/index.js';
import { makeResult, makeTask, planOf } from './score-data.js';

const title = 'documents';
const results = makeTask('a', 1, 0);
const report = scoreResults(results, { title });
const page = { script: '', scriptHash: '', style: '', styleHash: '' } satisfies ReportPage;
/** As JavaScript hands in anything. */
const anything = (given: unknown): never => given as never;
const run = { results, plan: planOf(results), reused: 0 };

function refused(act: () => unknown): { readonly message: string; readonly hint: unknown } {
  try {
    act();
  } catch (error) {
    expect(error).toMatchObject({ code: 'USAGE' });
    const { message, hint } = error as Error & { readonly hint?: string };
    return { message, hint };
  }
  throw new Error('It was taken.');
}

test.each([
  ['a run', run, 'an object with “results”, “plan”, “reused”', 'Give its `results`.'],
  ['a path', 'base.jsonl', 'a text, “base.jsonl”', 'Read the file, and give what parseResults makes of it.'],
  ['what nobody waited for', Promise.resolve(results), 'a promise', 'Wait for it with await.'],
  ['nothing', undefined, 'not given', expect.stringContaining('runEvals')],
  ['null', null, 'null', expect.stringContaining('runEvals')],
  ['a number', 5, 'of the type number', expect.stringContaining('runEvals')],
])('PSA-35: %s is no list of results: it is refused with what came and what to give', (_which, given, came, hint) => {
  const expected = (name: string, of: string) => ({
    message: `${name} of ${of} is ${came}. A list of results was expected.`,
    hint,
  });
  expect(refused(() => scoreResults(anything(given), { title }))).toEqual(expected('results', 'scoreResults'));
  expect(refused(() => compareResults(anything(given), results))).toEqual(expected('baseline', 'compareResults'));
  expect(refused(() => compareResults(results, anything(given)))).toEqual(expected('results', 'compareResults'));
  expect(refused(() => renderReportJunit(report, anything(given)))).toEqual(expected('results', 'renderReportJunit'));
  expect(refused(() => renderReportHtml({ report, results: anything(given) }, { page }))).toEqual(
    expected('results', 'renderReportHtml'),
  );
  if (given !== undefined)
    expect(refused(() => scoreResults(results, { title, baseline: anything(given) }))).toEqual(
      expected('baseline', 'scoreResults'),
    );
});

test('PSA-35: a list of something else is refused with the place', () => {
  const paths: readonly EvalResult[] = [makeResult(), anything('b.jsonl')];
  expect(refused(() => scoreResults(paths, { title })).message).toBe(
    'results[1] of scoreResults is a text, “b.jsonl”. A result was expected.',
  );
  expect(refused(() => compareResults([anything(null)], [])).message).toContain(
    'baseline[0] of compareResults is null',
  );
  expect(refused(() => scoreResults(results, { title, plan: anything('plan.json') })).message).toBe(
    'plan of scoreResults is a text, “plan.json”. A plan was expected.',
  );
  for (const suites of ['a.yaml', {}, [Promise.resolve()], null])
    expect(refused(() => scoreResults(results, { title, suites: anything(suites) })).message).toContain('suites');
});

test('PSA-35: what is no report is refused by everything that renders one', () => {
  const renders: readonly (readonly [string, (given: never) => unknown])[] = [
    ['renderReportText', renderReportText],
    ['renderReportMarkdown', renderReportMarkdown],
    ['renderReportJunit', (given) => renderReportJunit(given, results)],
    ['renderReportHtml', (given) => renderReportHtml({ report: given, results }, { page })],
    ['renderRanksText', renderRanksText],
    ['renderRanksMarkdown', renderRanksMarkdown],
  ];
  for (const [name, render] of renders) {
    const what = name.startsWith('renderRanks') ? 'A report of ranks' : 'A report of evals';
    for (const [given, came] of [
      [results, 'a list'],
      ['report.json', 'a text, “report.json”'],
      [undefined, 'not given'],
      [{ verdict: {} }, 'an object with “verdict”'],
      [{}, 'an object without fields'],
    ] as const)
      expect(refused(() => render(anything(given))).message).toBe(
        `What ${name} is to render is ${came}. ${what} was expected.`,
      );
    expect(refused(() => render(anything(Promise.resolve(report)))).hint).toBe('Wait for it with await.');
  }
  expect(refused(() => renderReportHtml(anything(report), { page })).hint).toContain('a report and its results');
});

test.each([
  ['not called', () => Promise.resolve(page)],
  ['not waited for', Promise.resolve(page)],
])('PSA-35: a page that was %s is refused', (_which, given) => {
  expect(refused(() => renderReportHtml({ report, results }, { page: anything(given) })).hint).toContain(
    '`await reportPage()`',
  );
});

test('reports are read without the name of a file, too', () => {
  expect(parseReport(JSON.stringify(report))).toEqual(JSON.parse(JSON.stringify(report)));
  expect(() => parseReport('[]')).toThrow('The text is not a report of evals');
  expect(() => parseRankReport('[]')).toThrow('The text is not ');
});
