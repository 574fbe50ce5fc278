import { describe, expect, test } from 'vitest';
import {
  compareRanks,
  renderRanksText,
  renderReportHtml,
  renderReportJunit,
  renderReportMarkdown,
  renderReportText,
  scoreResults,
  type RankedQuery,
  type RankReport,
} from '../src/index.js';
import type { PageData, PageDetail } from '../src/report/page-data.js';
import { digestOf, makeResult, makeTask, planOf, times } from './score-data.js';

const title = 'documents';

describe('JUnit at its limits', () => {
  test('has no character that XML 1.0 has no place for, and keeps lines in attributes', () => {
    const text = 'a\uFFFEb\uFFFFc\u0000d\u0008e\uD800f\nline\ttab"<&>\r\n';
    const results = makeTask(text, 0, 1, { suite: text, model: text });
    const evil = results.map((result) => ({
      ...result,
      checks: [{ kind: 'output', text, verdict: 'failed', evidence: `]]>${text}` } as const],
    }));
    const xml = renderReportJunit(scoreResults(evil, { title: text }), evil);
    // eslint-disable-next-line no-control-regex -- that there are none is the test
    expect(xml).not.toMatch(/[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|\p{Surrogate}/u);
    expect(xml).not.toContain(']]>');
    expect(xml).toContain('message="a&lt;U+FFFE&gt;b&lt;U+FFFF&gt;c&lt;U+0000&gt;');
    for (const [, value] of xml.matchAll(/="([^"]*)"/gu)) expect(value).not.toMatch(/[\n\t<]/u);
    expect(xml).toContain('&lt;U+D800&gt;f&#10;line&#9;tab&quot;&lt;&amp;&gt;');
  });

  test('says when a suite began, without a zone, and what trials took in seconds', () => {
    const at = ['2026-11-22T08:00:05.000Z', '2026-11-22T08:00:01.250Z', '2026-11-22T08:00:09.000Z'];
    const results = at.map((begun, index) =>
      makeResult({ case: `case-${index}`, at: begun, spent: { ...makeResult().spent, duration: 1_500 } }),
    );
    const xml = renderReportJunit(scoreResults(results, { title }), results);
    expect(xml).toContain(' timestamp="2026-11-22T08:00:01"');
    expect(xml).toContain('<testsuites name="documents" tests="3" failures="0" errors="0" skipped="0" time="4.500">');
    expect(xml.match(/<testcase [^>]* time="1\.500"/gu)).toHaveLength(3);
  });
});

describe('a page at its limits', () => {
  const page = { script: 'void 0;', scriptHash: 'sha256-aaaa', style: 'p{}', styleHash: 'sha256-bbbb' };
  const results = [
    ...times(4, (number) => makeResult({ case: `good-${number}` })),
    ...times(4, (number) => makeResult({ case: `bad-${number}`, outcome: 'failed' })),
  ];
  const detailsOf = (html: string): readonly PageDetail[] =>
    (/id="details">([^<]*)</u.exec(html)?.[1] ?? '').split('\n').map((line) => JSON.parse(line) as PageDetail);
  const dataOf = (html: string): PageData => JSON.parse(/id="report">([^<]*)</u.exec(html)?.[1] ?? '') as PageData;
  const report = scoreResults(results, { title });

  test('has just the transcripts that there is room for, those of trials that failed whole', () => {
    const size = JSON.stringify(detailsOf(renderReportHtml({ report, results }, { page }))[7]).length;
    for (const [room, kept] of [
      [size * 4, 4],
      [size * 4 - 1, 3],
      [size * 2, 2],
      [0, 0],
    ] as const) {
      const html = renderReportHtml({ report, results }, { page, maxBytes: room });
      const whole = detailsOf(html).map(({ cut }) => cut !== true);
      expect(whole.slice(0, 4)).toEqual([false, false, false, false]);
      expect(whole.slice(4).filter(Boolean)).toHaveLength(kept);
      expect(dataOf(html).cut).toBe(8 - kept);
    }
  });

  test('shows the beginning of what was asked in its list, and all of it with the trial', () => {
    const asked = [makeResult({ input: 'x'.repeat(2_000) })];
    const html = renderReportHtml({ report: scoreResults(asked, { title }), results: asked }, { page });
    expect(dataOf(html).results[0]?.input).toHaveLength(300);
    expect(detailsOf(html)[0]?.input).toHaveLength(2_000);
  });

  test('of a report that is as large as it gets is made all the same', () => {
    const huge = times(3_000, (number) => makeResult({ case: `case-${number}`, answer: '<'.repeat(2_000) }));
    const html = renderReportHtml(
      { report: scoreResults(huge, { title }), results: huge, baseline: huge },
      { page, maxBytes: 1_000_000 },
    );
    expect(html.length).toBeLessThan(12_000_000);
    expect(dataOf(html).cut).toBeGreaterThan(5_000);
  });
});

describe('lines at their limits', () => {
  test('what was planned and not run, and what an earlier run left, is told', () => {
    const results = makeTask('a', 3, 0);
    const plan = planOf([...results, ...makeTask('b', 1, 0)]);
    expect(renderReportText(scoreResults(results, { title, plan, reused: 2 }))).toContain(
      '\n3 trials of 4 planned: 3 passed; 2 from an earlier run\n',
    );
    expect(renderReportText(scoreResults(results, { title, plan: planOf(results) }))).toContain(
      '\n3 trials: 3 passed\n',
    );
  });

  test('of many trials the estimates for the first five k and the last one are shown', () => {
    const estimates = (trials: number): string =>
      renderReportText(scoreResults(makeTask('a', trials, 0), { title })).match(
        / 1: 100\.0 %.*?(?= {2}1: |$)/mu,
      )?.[0] ?? '';
    expect(estimates(6).match(/\d+: /gu)).toEqual(['1: ', '2: ', '3: ', '4: ', '5: ', '6: ']);
    expect(estimates(6)).not.toContain('…');
    expect(estimates(40).trim()).toBe(`${[1, 2, 3, 4, 5].map((k) => `${k}: 100.0 %`).join(', ')}, … 40: 100.0 %`);
  });

  test('what failed most comes first', () => {
    const results = [...makeTask('some', 3, 1), ...makeTask('all', 0, 4), ...makeTask('half', 2, 2)];
    const text = renderReportText(scoreResults(results, { title }));
    const failing = text.slice(text.indexOf('\nFailing\n')).split('\n').slice(2, 5);
    expect(failing.map((line) => line.trim().split(' ')[0])).toEqual([
      'documents/all',
      'documents/half',
      'documents/some',
    ]);
    expect(text).not.toMatch(/ +$/mu);
  });

  test('a measure is told with the probability that its verdict goes by, and a difference of nothing has no sign', () => {
    const before = times(30, (number) => ['a', 'b'].map((model) => makeResult({ case: `c-${number}`, model }))).flat();
    const after = before.map((result) =>
      Number(result.case.slice(2)) <= 6 && result.model === 'a' ? { ...result, outcome: 'failed' as const } : result,
    );
    const text = renderReportText(scoreResults(after, { title, baseline: before }));
    expect(text).toContain('6 lost, 0 won, p = 0.063');
    expect(text).toContain('±0.0 [');
    const all = before.map((result) => ({ ...result, outcome: 'failed' as const }));
    expect(renderReportText(scoreResults(all, { title, baseline: before }))).toContain('p < 0.001');
  });

  test('of very many cases a console has twenty and Markdown fifty, and the others are counted', () => {
    const results = times(70, (number) => makeTask(`case-${number}`, 0, 1)).flat();
    const report = scoreResults(results, {
      title,
      baseline: times(70, (number) => makeTask(`case-${number}`, 1, 0)).flat(),
    });
    const text = renderReportText(report);
    expect(text).toContain('\n  and 50 other cases\n');
    expect(text).toContain('\n  and 50 other changes\n');
    expect(text.match(/^ {2}documents\/case-\d+ .* 1 of 1 failed/gmu)).toHaveLength(20);
    const markdown = renderReportMarkdown(report);
    expect(markdown).toContain('<details><summary>Failing: 70</summary>');
    expect(markdown.match(/\n- and 20 others\n/gu)).toHaveLength(2);
  });

  test('a text in Markdown is no entity, begins no code, and is no longer than a summary can hold', () => {
    const told = (text: string): string => renderReportMarkdown({ ...scoreResults([], { title }), title: text });
    expect(told('a &lt; b')).toContain('Invalid: a &amp;lt; b\n');
    expect(told('x'.repeat(501))).toContain(`Invalid: ${'x'.repeat(500)}…\n`);
    expect(told('x'.repeat(500))).toContain(`Invalid: ${'x'.repeat(500)}\n`);
    expect(told(`${'x'.repeat(499)}😀😀`)).toContain(`${'x'.repeat(499)}…\n`);
    const indented = { ...scoreResults([], { title }), verdict: { kind: 'failed', reasons: ['     code'] } } as const;
    expect(renderReportMarkdown(indented)).toContain('\n- code\n');
  });
});

describe('PSA-35: ranks at their limits', () => {
  const query = (number: number, given: Partial<RankedQuery>): RankedQuery => ({
    suite: 'documents',
    case: `case-${number}`,
    query: `query ${number}`,
    wanted: [],
    not: [],
    found: [],
    rank: undefined,
    ...given,
  });
  const reportOf = (queries: readonly RankedQuery[]): RankReport => {
    const none = { successes: 0, total: 0, value: undefined, interval: undefined };
    const catalogue = [{ skill: 'pdf', digest: digestOf('pdf') }];
    return { formatVersion: 1, catalogue, queries, first: none, amongFive: none, keptAway: none };
  };

  test('PSA-35: a query is not right where what must not be is first', () => {
    const right = times(12, (number) => query(number, { not: ['pdf'], found: ['docx'] }));
    const wrong = times(12, (number) => query(number, { not: ['pdf'], found: ['pdf'] }));
    expect(compareRanks(reportOf(right), reportOf(wrong))).toMatchObject({ verdict: 'worse', lost: 12, won: 0 });
    // Also where it is wanted and forbidden besides.
    const both = { wanted: ['pdf'], rank: 1, found: ['pdf'] };
    const torn = times(12, (number) => query(number, { ...both, not: ['pdf'] }));
    expect(compareRanks(reportOf(torn), reportOf(torn)).reasons[0]).toContain('0.0 % were ranked right');
  });

  test('PSA-35: a query that wants nothing is not told as one that does not find it', () => {
    const near = query(1, { not: ['pdf'], found: ['docx'] });
    expect(renderRanksText(reportOf([near]))).not.toContain('Not found first');
    const missed = query(2, { wanted: ['pdf'], found: ['docx'] });
    expect(renderRanksText(reportOf([near, missed]))).toContain(
      'Not found first\n  pdf not found, first is docx: query 2\n',
    );
  });

  test('PSA-35: the order of what is wanted makes no other query of it', () => {
    const [one, other] = [
      ['pdf', 'docx'],
      ['docx', 'pdf'],
    ].map((skills) =>
      reportOf([query(1, { wanted: skills, not: skills.map((skill) => `${skill}2`), rank: 1, found: skills })]),
    );
    expect(compareRanks(one!, other!)).toMatchObject({ pairs: 1 });
  });

  test('PSA-35: who took most is told first', () => {
    const taken = (number: number, skill: string): readonly [RankedQuery, RankedQuery] => [
      query(number, { wanted: [skill], found: [skill], rank: 1 }),
      query(number, { wanted: [skill], found: ['thief', skill], rank: 2 }),
    ];
    const all = [taken(1, 'pdf'), taken(2, 'docx'), taken(3, 'docx'), taken(4, 'table'), taken(5, 'docx')];
    const { thefts } = compareRanks(reportOf(all.map(([before]) => before)), reportOf(all.map(([, after]) => after)));
    expect(thefts.map(({ victim, queries }) => [victim, queries.length])).toEqual([
      ['docx', 3],
      ['pdf', 1],
      ['table', 1],
    ]);
  });
});
