import type { CaseRow, PageContent, Trial } from './content.js';
import { element } from './element.js';
import { filterRows, type FilteredRows } from './filter-rows.js';
import type { Store } from './state.js';
import { renderHead, renderRow, type Mark } from './strip-row.js';
import { createVirtualRows } from './virtual-rows.js';

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

  const showMark = (): void => markIn(viewport, rows.rowAt(mark.row), mark);
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

/** Marks a row and a trial of it, and says so to whoever listens to the page. */
function markIn(viewport: HTMLElement, row: HTMLElement | undefined, mark: Mark): void {
  for (const marked of viewport.querySelectorAll('.marked')) marked.classList.remove('marked');
  row?.classList.add('marked');
  const cell = row?.querySelector(`[data-trial="${Math.min(mark.trial, Number(row.dataset['last'] ?? 0))}"]`);
  cell?.classList.add('marked');
  const named = cell ?? row;
  if (named === null || named === undefined) viewport.removeAttribute('aria-activedescendant');
  else viewport.setAttribute('aria-activedescendant', named.id);
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
function openTrial(store: Store, trial: Trial): void {
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
