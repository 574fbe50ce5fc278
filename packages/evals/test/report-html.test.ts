import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { renderReportHtml, scoreResults, type EvalResult } from '../src/index.js';
import type { PageData, PageDetail } from '../src/report/page-data.js';
import { makeResults } from './report-data.js';

const page = { script: 'void 0;', scriptHash: 'sha256-aaaa', style: 'p{}', styleHash: 'sha256-bbbb' };
const results = makeResults({ cases: 10, trials: 2 });
const report = scoreResults(results, { title: 'documents' });

/** What an element of the page holds. */
function textOf(html: string, id: string): string {
  return new RegExp(`<script type="[^"]+" id="${id}">(?<text>[^<]*)</script>`, 'u').exec(html)?.groups?.['text'] ?? '';
}

test('PSA-35: a page lets its own script and style run and nothing else, and asks nothing of anybody', () => {
  const html = renderReportHtml({ report, results }, { page });
  expect(html).toContain(
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-aaaa'; style-src 'sha256-bbbb'; img-src data:; base-uri 'none'; form-action 'none'">`,
  );
  expect(html).not.toMatch(/https?:|\ssrc=|@import/u);
  expect(html.match(/<script/gu)).toHaveLength(3);
});

test('the data of a page are the report and its results, in which the page finds the details line by line', () => {
  const html = renderReportHtml({ report, results, baseline: results.slice(0, 3) }, { page });
  const data = JSON.parse(textOf(html, 'report')) as PageData;
  expect(data.report).toEqual(JSON.parse(JSON.stringify(report)));
  expect(data.results.map((head) => head.key).toSorted()).toEqual(results.map(({ key }) => key).toSorted());
  const lines = textOf(html, 'details').split('\n');
  expect(lines).toHaveLength(results.length + 3);
  for (const [index, { key }] of data.results.entries()) {
    const result = results.find((known) => known.key === key)!;
    expect(JSON.parse(lines[index]!)).toMatchObject({ steps: result.steps, answer: result.answer });
  }
  expect(JSON.parse(lines.at(-1)!).checks).toEqual(JSON.parse(JSON.stringify(results[2]!.checks)));
});

test('a text can end no element: markup in it is written otherwise, and what nobody can see is shown', () => {
  const text = '</script><!--<script>&lt;\u2028\u202E\u0000';
  const bad = results.map((result): EvalResult => ({ ...result, suite: text, case: text, answer: text, tags: [text] }));
  const html = renderReportHtml(
    { report: { ...scoreResults(bad, { title: text }), title: text }, results: bad },
    { page },
  );
  expect(html.match(/<script/gu)).toHaveLength(3);
  expect(html.match(/<\/script/gu)).toHaveLength(3);
  expect(html).not.toContain('<!--');
  for (const hidden of '\u2028\u202E\u0000') expect(html).not.toContain(hidden);
  expect(JSON.parse(textOf(html, 'report')).report.title).toBe('</script><!--<script>&lt;<U+2028><U+202E><U+0000>');
});

test('transcripts that are too much for a page are left out, those of trials that passed first', () => {
  const failed = results.filter(({ outcome }) => outcome !== 'passed').length;
  const sizes = results.map((result) => JSON.stringify({ steps: result.steps, answer: result.answer }).length);
  const html = renderReportHtml(
    { report, results },
    { page, maxBytes: sizes.reduce((sum, size) => sum + size, 0) / 2 },
  );
  const details = textOf(html, 'details')
    .split('\n')
    .map((line) => JSON.parse(line) as PageDetail);
  const cut = details.filter((detail) => detail.cut === true);
  expect(cut.length).toBeGreaterThan(0);
  const data = JSON.parse(textOf(html, 'report')) as PageData;
  expect(data.cut).toBe(cut.length);
  const outcomes = new Set(
    details.flatMap((detail, index) => (detail.cut === true ? [data.results[index]!.outcome] : [])),
  );
  expect(outcomes.has('passed')).toBe(true);
  if (cut.length <= results.length - failed) expect(outcomes.size).toBe(1);
  for (const detail of cut) expect([detail.steps, detail.answer]).toEqual([[], '']);
});

test('options that are none are refused', () => {
  const options = { page, maxByte: 5 };
  // As JavaScript may hand them in.
  const odd = [
    { page, maxBytes: '5' },
    {},
    { page: null },
    { page: { ...page, style: 5 } },
  ] as unknown as (typeof options)[];
  for (const wrong of [options, { page, maxBytes: Number.NaN }, { page, maxBytes: -1 }, ...odd]) {
    let caught: unknown;
    try {
      renderReportHtml({ report, results }, wrong);
    } catch (error) {
      caught = error;
    }
    expect(SkillsError.is(caught, 'USAGE')).toBe(true);
  }
});
