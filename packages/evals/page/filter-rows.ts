import type { CaseRow, Column, PageContent, Trial } from './content.js';
import type { Filter } from './state.js';

/** What is left of the strip. */
export interface FilteredRows {
  readonly rows: readonly CaseRow[];
  /** Indexes of columns. */
  readonly columns: readonly number[];
  /** Of the rows and columns that are left. */
  readonly trials: number;
}

/** The cases, and columns, that a filter leaves: each case has a trial, in a column that is left, that fits all of it. */
export function filterRows({ rows, columns }: PageContent, filter: Filter): FilteredRows {
  const kept = [...columns.keys()].filter((index) => fitsColumn(columns[index], filter));
  const words = filter.text.toLowerCase().split(/\s+/u).filter(Boolean);
  const left = rows.filter((row) => {
    if (filter.tag !== undefined && !row.score.tags.includes(filter.tag)) return false;
    if (!words.every((word) => row.words.includes(word))) return false;
    return kept.some((index) => row.trials[index]?.some((trial) => fitsTrial(trial, filter)) === true);
  });
  let trials = 0;
  for (const row of left) for (const index of kept) trials += row.trials[index]?.length ?? 0;
  return { rows: left, columns: kept, trials };
}

function fitsColumn(column: Column | undefined, { model, arm }: Filter): boolean {
  if (column === undefined) return false;
  return (model === undefined || column.model === model) && (arm === undefined || column.arm === arm);
}

/** Whether a filter means this very trial: in a case that is shown, the others are pale. */
export function fitsTrial({ outcome, wanted, fired }: Trial, filter: Filter): boolean {
  if (filter.outcomes.length > 0 && !filter.outcomes.includes(outcome)) return false;
  const { confused } = filter;
  if (confused === undefined) return true;
  if (outcome !== 'passed' && outcome !== 'failed') return false;
  return has(wanted?.skills ?? [], confused.wanted) && has(fired, confused.fired);
}

function has(skills: readonly string[], skill: string): boolean {
  return skill === '' ? skills.length === 0 : skills.includes(skill);
}
