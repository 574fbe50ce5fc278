import type { CaseChange } from '../src/gate/eval-comparison.js';
import { formatShare } from '../src/report/format-rate.js';
import { nameOfArm } from '../src/report/name-of-arm.js';
import type { CaseRow, Column, PageContent, Trial } from './content.js';
import { element, outside } from './element.js';
import { fitsTrial, type FilteredRows } from './filter-rows.js';
import { signOf } from './outcomes.js';
import type { Store } from './state.js';

/** Signs that a cell has room for; of more trials the last sign says how many. */
const most = 10;

/** Where the mark is: a row, and in it the trial of so many columns and trials before it. */
export interface Mark {
  row: number;
  trial: number;
}

/** The names of the columns. */
export function renderHead({ columns }: FilteredRows, content: PageContent): readonly HTMLElement[] {
  return [
    element('div', { class: 'row-name', role: 'columnheader' }, 'Case'),
    ...columns.map((index) => {
      const column = content.columns[index];
      const made = element('div', { class: 'group', role: 'columnheader' }, [
        outside(column?.model ?? '', { class: 'model', title: column?.model }),
        element('span', { class: 'arm' }, column === undefined ? '' : nameOfArm(column.arm)),
      ]);
      setWidth(made, column);
      return made;
    }),
  ];
}

function setWidth(group: HTMLElement, column: Column | undefined): void {
  group.style.setProperty('--trials', String(Math.min(most, column?.trials ?? 1)));
}

/** What a row is made with. */
export interface RowContext {
  readonly content: PageContent;
  readonly store: Store;
  readonly mark: Mark;
}

/** One case with its trials. */
export function renderRow(shown: FilteredRows, index: number, { content, store, mark }: RowContext): HTMLElement {
  const row = shown.rows[index];
  const made = element('div', {
    class: index === mark.row ? 'row marked' : 'row',
    role: 'row',
    id: `row-${index}`,
    'aria-rowindex': index + 2,
    'data-row': index,
  });
  if (row === undefined) return made;
  made.append(renderName(row));
  let position = 0;
  for (const column of shown.columns) {
    const trials = row.trials[column] ?? [];
    const own = content.columns[column];
    const group = element('div', { class: 'group', role: 'presentation' });
    setWidth(group, own);
    for (const [at, trial] of trials.slice(0, most).entries()) {
      const more = at === most - 1 ? trials.length - most : 0;
      const name = `${trial.model}, ${nameOfArm(trial.arm)}, trial ${trial.trial}: ${trial.outcome}`;
      const pale = fitsTrial(trial, store.state.filter) ? '' : ' pale';
      group.append(
        element(
          'span',
          {
            class: `trial ${trial.outcome}${pale}`,
            role: 'gridcell',
            id: `row-${index}-${position + at}`,
            'data-trial': position + at,
            'aria-label': more > 0 ? `${name}, and ${more} more trials` : name,
            title: name,
          },
          more > 0 ? `+${more}` : signOf(trial.outcome),
        ),
      );
    }
    const rate = rateOf(trials);
    if (trials.length > 1) group.append(element('span', { class: 'share', role: 'presentation' }, rate));
    const change = row.changes.find(({ model, arm }) => model === own?.model && arm === own.arm);
    if (change !== undefined) group.append(renderChange(change));
    made.append(group);
    position += trials.length;
  }
  made.dataset['last'] = String(Math.max(0, position - 1));
  return made;
}

function rateOf(trials: readonly Trial[]): string {
  const passed = trials.filter(({ outcome }) => outcome === 'passed').length;
  const failed = trials.filter(({ outcome }) => outcome === 'failed').length;
  return passed + failed === 0 ? 'no score' : formatShare(passed / (passed + failed)).replace('.0', '');
}

function renderChange({ before, after }: CaseChange): HTMLElement {
  const share = `${formatShare(before)} → ${formatShare(after)}`;
  const title = `${share} against the baseline`;
  return element('span', { class: `moved ${after < before ? 'worse' : 'better'}`, role: 'presentation', title }, [
    `${after < before ? '▼' : '▲'} `,
    element('span', { class: 'unseen' }, title),
  ]);
}

function renderName({ score }: CaseRow): HTMLElement {
  return element('div', { class: 'row-name', role: 'rowheader' }, [
    element('span', { class: 'id' }, [
      outside(score.case, { title: score.title ?? score.case }),
      element('span', { class: 'kind' }, score.kind),
    ]),
    element('span', { class: 'about' }, [
      outside(score.suite),
      ...score.tags.slice(0, 4).map((tag) => outside(tag, { class: 'tag' })),
    ]),
  ]);
}
