import type { CaseChange } from '../src/gate/eval-comparison.js';
import type { EvalArm } from '../src/plan/eval-job.js';
import type { PageData, PageDetail, PageHead } from '../src/report/page-data.js';
import type { CaseScore } from '../src/score/eval-report.js';

/** One trial of the page. */
export interface Trial extends PageHead {
  /** Of its line in the details. */
  readonly line: number;
  readonly old: boolean;
}

/** One model with one arm: a column of the strip. */
export interface Column {
  readonly model: string;
  readonly arm: EvalArm;
  /** The most trials that a case has in it. */
  readonly trials: number;
}

/** A case with its trials, as a row of the strip. */
export interface CaseRow {
  readonly score: CaseScore;
  /** What the search looks through, in lower case. */
  readonly words: string;
  /** By column, in their order; in each, by trial. */
  readonly trials: readonly (readonly Trial[])[];
  /** How it differs from the baseline. */
  readonly changes: readonly CaseChange[];
}

/** All that the page shows. */
export interface PageContent {
  readonly data: PageData;
  readonly columns: readonly Column[];
  readonly rows: readonly CaseRow[];
  readonly baseline: readonly Trial[];
  detailOf(trial: Trial): PageDetail;
}

/** Reads what the page was made with; the details only when they are asked for. */
export function readContent(): PageContent {
  // The element holds what `renderReportHtml` wrote, which made it of this type.
  const data = JSON.parse(textOf('report')) as PageData;
  const results = data.results.map((head, line): Trial => ({ ...head, line, old: false }));
  const baseline = data.baseline.map((head, index): Trial => ({ ...head, line: results.length + index, old: true }));
  const columns = columnsOf(results);
  let lines: readonly string[] | undefined;
  return {
    data,
    columns,
    rows: rowsOf(data, columns, results),
    baseline,
    detailOf({ line }) {
      lines ??= textOf('details').split('\n');
      return JSON.parse(lines[line] ?? '') as PageDetail; // as above
    },
  };
}

function textOf(id: string): string {
  return document.querySelector(`script#${id}`)?.textContent ?? '';
}

function columnsOf(trials: readonly Trial[]): readonly Column[] {
  const columns = new Map<string, Column & { readonly counts: Map<string, number> }>();
  for (const { model, arm, suite, case: name } of trials) {
    const key = JSON.stringify([model, arm]);
    const column = columns.get(key) ?? { model, arm, trials: 0, counts: new Map<string, number>() };
    const count = (column.counts.get(caseKey(suite, name)) ?? 0) + 1;
    column.counts.set(caseKey(suite, name), count);
    columns.set(key, { ...column, trials: Math.max(column.trials, count) });
  }
  return [...columns.values()].map(({ model, arm, trials: most }) => ({ model, arm, trials: most }));
}

function rowsOf({ report }: PageData, columns: readonly Column[], trials: readonly Trial[]): readonly CaseRow[] {
  const changes = Map.groupBy(report.comparison?.changes ?? [], ({ suite, case: name }) => caseKey(suite, name));
  const byCase = Map.groupBy(trials, ({ suite, case: name }) => caseKey(suite, name));
  return report.cases.map((score) => {
    const own = byCase.get(caseKey(score.suite, score.case)) ?? [];
    const words = [score.suite, score.case, score.title ?? '', ...score.tags, own[0]?.input ?? ''];
    return {
      score,
      words: words.join(' ').toLowerCase(),
      changes: changes.get(caseKey(score.suite, score.case)) ?? [],
      trials: columns.map(({ model, arm }) =>
        own
          .filter((trial) => trial.model === model && trial.arm === arm)
          .toSorted((one, other) => one.trial - other.trial),
      ),
    };
  });
}

function caseKey(suite: string, name: string): string {
  return JSON.stringify([suite, name]);
}
