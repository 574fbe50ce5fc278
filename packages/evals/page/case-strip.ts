import { formatShare } from '../src/report/format-rate.js';
import { nameOfArm } from '../src/report/name-of-arm.js';
import type { CaseRow, Column, PageContent, Trial } from './content.js';
import { element, outside } from './element.js';
import { filterRows, fitsTrial, type FilteredRows } from './filter-rows.js';
import { signOf } from './outcomes.js';
import type { Store } from './state.js';
import { createVirtualRows } from './virtual-rows.js';

/** Signs that a cell has room for; of more trials the last sign says how many. */
const most = 10;

/** Cases against their trials, by model and arm. */
export interface CaseStrip {
  readonly element: HTMLElement;
  /** The row that is marked goes up or down, the trial that is marked to the side. */
  move(rows: number, trials: number): void;
  /** Opens the trial that is marked. */
  open(): void;
  focus(): void;
  /** What is shown now. */
  readonly shown: FilteredRows;
}

/** Where the mark is: a row, and in it the trial of so many columns and trials before it. */
interface Mark {
  row: number;
  trial: number;
}

/** Makes the strip, which follows the filter of the page. */
export function createCaseStrip(content: PageContent, store: Store): CaseStrip {
  const mark: Mark = { row: 0, trial: 0 };
  let shown = filterRows(content, store.state.filter);
  let filter = store.state.filter;
  const head = element('div', { class: 'strip-head', role: 'row', 'aria-rowindex': 1 });
  const viewport = element('div', {
    class: 'strip',
    role: 'grid',
    tabindex: 0,
    'aria-label': 'Cases and their trials',
    'aria-describedby': 'keys',
  });
  const rows = createVirtualRows({
    viewport,
    covered: () => head.offsetHeight,
    render: (index) => renderRow(shown, index, { content, store, mark }),
  });
  viewport.append(head, rows.element);

  const showMark = (): void => {
    for (const marked of viewport.querySelectorAll('.marked')) marked.classList.remove('marked');
    const row = rows.rowAt(mark.row);
    row?.classList.add('marked');
    const cell = row?.querySelector(`[data-trial="${Math.min(mark.trial, Number(row.dataset['last'] ?? 0))}"]`);
    cell?.classList.add('marked');
    const named = cell ?? row;
    if (named === null || named === undefined) viewport.removeAttribute('aria-activedescendant');
    else viewport.setAttribute('aria-activedescendant', named.id);
  };
  const fill = (): void => {
    shown = filterRows(content, store.state.filter);
    filter = store.state.filter;
    mark.row = Math.max(0, Math.min(mark.row, shown.rows.length - 1));
    head.replaceChildren(...renderHead(shown, content));
    viewport.setAttribute('aria-rowcount', String(shown.rows.length + 1));
    viewport.classList.toggle('empty', shown.rows.length === 0);
    rows.reset(shown.rows.length);
    showMark();
  };
  fill();
  store.onChange(() => {
    if (store.state.filter !== filter) fill();
  });
  const strip: CaseStrip = {
    element: viewport,
    get shown() {
      return shown;
    },
    focus: () => viewport.focus(),
    move(down, aside) {
      mark.row = clamp(mark.row + down, shown.rows.length);
      const row = shown.rows[mark.row];
      if (row !== undefined) mark.trial = clamp(mark.trial + aside, trialsOf(shown, row).length);
      rows.reveal(mark.row);
      showMark();
    },
    open() {
      const row = shown.rows[mark.row];
      const all = row === undefined ? [] : trialsOf(shown, row);
      const trial = all[Math.min(mark.trial, all.length - 1)];
      if (trial !== undefined) openTrial(store, trial);
    },
  };
  listen(viewport, strip, (row, trial) => {
    mark.row = row;
    mark.trial = trial;
    showMark();
  });
  return strip;
}

function listen(viewport: HTMLElement, strip: CaseStrip, goTo: (row: number, trial: number) => void): void {
  viewport.addEventListener('click', ({ target }) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
    if (row === null || !(target instanceof Element)) return;
    const trial = target.closest<HTMLElement>('[data-trial]')?.dataset['trial'] ?? '0';
    goTo(Number(row.dataset['row']), Number(trial));
    strip.open();
  });
  const page = 10;
  const moves: Readonly<Record<string, readonly [number, number]>> = {
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowRight: [0, 1],
    ArrowLeft: [0, -1],
    PageDown: [page, 0],
    PageUp: [-page, 0],
    Home: [-Infinity, 0],
    End: [Infinity, 0],
  };
  viewport.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const move = moves[event.key];
    if (move !== undefined) strip.move(...(move as [number, number]));
    else if (event.key === 'Enter' || event.key === ' ') strip.open();
    else return;
    event.preventDefault();
  });
}

/** Opens a trial beside the list. */
export function openTrial(store: Store, trial: Trial): void {
  const { suite, case: name, model, arm } = trial;
  const open = { suite, case: name, model, arm, trial: trial.trial, step: undefined, beside: undefined };
  store.change({ open }, 'push');
}

/** Trials of a row in the columns that are shown, in the order that they stand in. */
export function trialsOf({ columns }: FilteredRows, row: CaseRow): readonly Trial[] {
  return columns.flatMap((column) => row.trials[column] ?? []);
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index));
}

function renderHead({ columns }: FilteredRows, content: PageContent): readonly HTMLElement[] {
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

interface RowContext {
  readonly content: PageContent;
  readonly store: Store;
  readonly mark: Mark;
}

function renderRow(shown: FilteredRows, index: number, { content, store, mark }: RowContext): HTMLElement {
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
    const group = element('div', { class: 'group', role: 'presentation' });
    setWidth(group, content.columns[column]);
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
