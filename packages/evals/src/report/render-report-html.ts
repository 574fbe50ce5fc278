import { expectOptions, SkillsError, visibleLines } from '@skillpack/core';
import type { EvalResult } from '../results/eval-result.js';
import type { EvalReport } from '../score/eval-report.js';
import { latestResults } from '../score/latest-results.js';
import { describeGiven, expectResults } from '../score/expect-results.js';
import { expectRanks, expectReport } from './expect-report.js';
import { countedResults } from './counted-results.js';
import type { HtmlReport, RenderHtmlOptions, ReportPage } from './html-report.js';
import type { PageData, PageDetail, PageHead } from './page-data.js';
import { nameOfVerdict } from './summary-lines.js';

const optionNames: Readonly<Record<keyof RenderHtmlOptions, true>> = { page: true, maxBytes: true };

/**
 * A report as one HTML file that needs nothing else: it opens from a disk, asks no network, and runs no script but its
 * own. Texts from outside are data in it, never markup.
 *
 * @throws `USAGE` for options that are none, and for what is no report, or no results.
 */
export function renderReportHtml(content: HtmlReport, options: RenderHtmlOptions): string {
  expectOptions(options, { of: 'renderReportHtml', names: optionNames });
  const { page, maxBytes = 64 * 1024 * 1024 } = options;
  expectPage(page);
  if (typeof maxBytes !== 'number' || !(maxBytes >= 0))
    throw new SkillsError('USAGE', `maxBytes is ${String(maxBytes)}. A number from 0 was expected.`);
  const { report } = expectContent(content);
  const results = countedResults(report, content.results);
  const baseline = latestResults(content.baseline ?? []);
  const all = [...results, ...baseline];
  const { lines, cut } = fitDetails(all, maxBytes);
  const data: PageData = {
    report,
    results: results.map(headOf),
    baseline: baseline.map(headOf),
    ranks: content.ranks,
    rankComparison: content.rankComparison,
    cut,
  };
  const policy = `default-src 'none'; script-src '${page.scriptHash}'; style-src '${page.styleHash}'; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(`${nameOfVerdict[report.verdict.kind]}: ${report.title.slice(0, 200)}`)}</title>
<link rel="icon" href="data:,">
<style>${page.style}</style>
</head>
<body>
${withoutScript(report)}
<script type="application/json" id="report">${asData(data)}</script>
<script type="application/x-ndjson" id="details">${lines.join('\n')}</script>
<script>${page.script}</script>
</body>
</html>
`;
}

/** As JavaScript may hand it in. */
function expectContent(content: HtmlReport): HtmlReport {
  const given: unknown = content;
  if (typeof given !== 'object' || given === null || !('report' in given))
    throw new SkillsError('USAGE', `What renderReportHtml is to render is ${describeGiven(given)}.`, {
      hint: 'Give it an object with a report and its results.',
    });
  expectReport(content.report, 'renderReportHtml');
  expectResults(content.results, { of: 'renderReportHtml' });
  expectResults(content.baseline ?? [], { of: 'renderReportHtml', name: 'baseline' });
  if (content.ranks !== undefined) expectRanks(content.ranks, content.rankComparison, 'renderReportHtml');
  return content;
}

/** As JavaScript may hand it in. */
function expectPage(page: Partial<ReportPage> | null | undefined): void {
  for (const name of ['script', 'scriptHash', 'style', 'styleHash'] as const)
    if (typeof page?.[name] !== 'string')
      throw new SkillsError('USAGE', `The page that renderReportHtml was given has no ${name}.`, {
        hint: 'Give it what `await reportPage()` of @skillpack/evals/node returns.',
      });
}

/** What is seen where no script runs, as in a preview of a mail program. */
function withoutScript({ title, verdict }: EvalReport): string {
  const reasons = verdict.reasons.map((reason) => `<li>${escapeHtml(reason)}</li>`).join('');
  return `<noscript><h1>${nameOfVerdict[verdict.kind]}: ${escapeHtml(title)}</h1><ul>${reasons}</ul><p>The rest of this report is shown by its script, which does not run here.</p></noscript>`;
}

function headOf(result: EvalResult): PageHead {
  const { key, suite, arm, model, trial, kind, tags, input, outcome, fired, wanted } = result;
  // What the list shows and the search looks through; all of it is with the details.
  return {
    key,
    suite,
    case: result.case,
    arm,
    model,
    trial,
    kind,
    tags,
    input: input.slice(0, 300),
    outcome,
    fired,
    wanted,
  };
}

function detailOf(result: EvalResult): PageDetail {
  const { input, checks, answer, steps, spent, at, attempts, files, reason } = result;
  return { input, checks, answer, steps, spent, at, attempts, files, reason };
}

/** Lines of details that take at most so many bytes: those of trials that did not pass keep their transcripts longest. */
function fitDetails(
  results: readonly EvalResult[],
  maxBytes: number,
): { readonly lines: readonly string[]; readonly cut: number } {
  const lines = results.map((result) => asData(detailOf(result)));
  let left = maxBytes;
  let cut = 0;
  const order = [...results.keys()].toSorted((one, other) => {
    return Number(results[one]?.outcome === 'passed') - Number(results[other]?.outcome === 'passed') || one - other;
  });
  for (const index of order) {
    const size = new TextEncoder().encode(lines[index] ?? '').length;
    const result = results[index];
    if (size <= left) {
      left -= size;
    } else if (result !== undefined) {
      cut += 1;
      lines[index] = asData({ ...detailOf(result), answer: '', steps: [], cut: true } satisfies PageDetail);
    }
  }
  return { lines, cut };
}

/** JSON that ends no element and begins none, whatever texts are in it: each is cleaned, and `<` is written otherwise. */
function asData(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? visibleLines(part) : part));
  return text.replaceAll('<', String.raw`\u003c`);
}

function escapeHtml(text: string): string {
  return visibleLines(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
