import { confusedPairs } from '../src/score/confused-pairs.js';
import { skillChoice } from '../src/score/skill-choice.js';
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
export function fitsTrial(trial: Trial, filter: Filter): boolean {
  if (filter.outcomes.length > 0 && !filter.outcomes.includes(trial.outcome)) return false;
  const { confused } = filter;
  if (confused === undefined) return true;
  const choice = skillChoice(trial);
  if (choice === undefined) return false;
  // As the matrix counts it.
  return confusedPairs(choice).some(
    ([wanted, fired]) => (wanted ?? '') === confused.wanted && (fired ?? '') === confused.fired,
  );
}
