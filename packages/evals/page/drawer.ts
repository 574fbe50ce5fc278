import { nameOfArm } from '../src/report/name-of-arm.js';
import { trialsOf, type CaseStrip } from './case-strip.js';
import type { CaseRow, PageContent, Trial } from './content.js';
import { renderDifference } from './difference.js';
import { button, element, outside } from './element.js';
import { signOf } from './outcomes.js';
import type { OpenTrial, Store } from './state.js';
import { renderTrial } from './trial-view.js';

/** The trial that is looked at, over the page. */
export interface Drawer {
  readonly element: HTMLDialogElement;
  /** To the case that is so many further down the strip. */
  moveCase(by: number): void;
  /** To the trial of this case that is so many further. */
  moveTrial(by: number): void;
  close(): void;
}

/** Makes the drawer, which follows the address of the page. */
export function createDrawer(content: PageContent, store: Store, strip: CaseStrip): Drawer {
  const dialog = element('dialog', { class: 'drawer', 'aria-labelledby': 'drawer-title' });
  const close = (): void => store.change({ open: undefined }, 'push');
  const goTo = (step: number): void => {
    const { open } = store.state;
    if (open !== undefined) store.change({ open: { ...open, step, beside: undefined } }, 'replace');
  };
  let drawn = '';
  const update = (): void => {
    const { open } = store.state;
    if (open === undefined) {
      drawn = '';
      if (dialog.open) dialog.close();
      return;
    }
    const row = content.rows.find(({ score }) => score.suite === open.suite && score.case === open.case);
    // The step is marked in what is there: drawing it anew would close what a reader opened.
    const key = JSON.stringify({ ...open, step: undefined });
    if (drawn !== key) {
      drawn = key;
      dialog.replaceChildren(...renderDrawer({ open, row, content, store, drawer, goTo }));
      dialog.scrollTop = 0;
    }
    if (!dialog.open) dialog.showModal();
    markStep(dialog, open, row === undefined ? undefined : findTrial(row, open));
  };
  const drawer: Drawer = {
    element: dialog,
    close,
    moveCase(by) {
      const { open } = store.state;
      const at = strip.shown.rows.findIndex(({ score }) => score.suite === open?.suite && score.case === open.case);
      const row = strip.shown.rows[at + by];
      if (open === undefined || row === undefined) return;
      strip.move(by, 0);
      const same = trialsOf(strip.shown, row).find((trial) => isAt(trial, open)) ?? trialsOf(strip.shown, row)[0];
      if (same !== undefined) show(store, same);
    },
    moveTrial(by) {
      const { open } = store.state;
      const row = strip.shown.rows.find(({ score }) => score.suite === open?.suite && score.case === open.case);
      if (open === undefined || row === undefined) return;
      const trials = trialsOf(strip.shown, row);
      const next = trials[trials.findIndex((trial) => isAt(trial, open)) + by];
      if (next !== undefined) show(store, next);
    },
  };
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    close();
  });
  dialog.addEventListener('close', () => strip.focus());
  // The dialog covers its own inside: what is clicked as itself is what lies behind it.
  dialog.addEventListener('mousedown', ({ target }) => {
    if (target === dialog) close();
  });
  store.onChange(update);
  queueMicrotask(update);
  return drawer;
}

function show(store: Store, { suite, case: name, model, arm, trial }: Trial): void {
  store.change({ open: { suite, case: name, model, arm, trial, step: undefined, beside: undefined } }, 'replace');
}

function isAt(trial: Trial, place: Pick<OpenTrial, 'model' | 'arm' | 'trial'>): boolean {
  return trial.model === place.model && trial.arm === place.arm && trial.trial === place.trial;
}

function findTrial(row: CaseRow, open: OpenTrial): Trial | undefined {
  const trials = row.trials.flat();
  return (
    trials.find((trial) => isAt(trial, open)) ??
    trials.find(({ model, arm }) => model === open.model && arm === open.arm) ??
    trials[0]
  );
}

function markStep(dialog: HTMLElement, open: OpenTrial, trial: Trial | undefined): void {
  for (const marked of dialog.querySelectorAll('.step.marked')) marked.classList.remove('marked');
  if (open.step === undefined || trial === undefined) return;
  const step = dialog.querySelector(`.step[data-seq="${open.step}"]`);
  step?.classList.add('marked');
  step?.scrollIntoView({ block: 'nearest' });
  step?.querySelector('button')?.focus({ preventScroll: true });
}

interface DrawerContent {
  readonly open: OpenTrial;
  readonly row: CaseRow | undefined;
  readonly content: PageContent;
  readonly store: Store;
  readonly drawer: Drawer;
  readonly goTo: (seq: number) => void;
}

function renderDrawer(shown: DrawerContent): readonly HTMLElement[] {
  const { open, row, content, drawer, goTo } = shown;
  const trial = row === undefined ? undefined : findTrial(row, open);
  const head = element('header', { class: 'drawer-head' }, [
    element('div', { class: 'drawer-title' }, [
      element('h2', { id: 'drawer-title', tabindex: -1, autofocus: true }, [outside(row?.score.title ?? open.case)]),
      element('p', { class: 'about' }, [outside(`${open.suite}/${open.case}`)]),
    ]),
    element('div', { class: 'drawer-keys' }, [
      button('↑', { title: 'The case before (k)', 'aria-label': 'The case before', 'aria-keyshortcuts': 'k' }, () =>
        drawer.moveCase(-1),
      ),
      button('↓', { title: 'The next case (j)', 'aria-label': 'The next case', 'aria-keyshortcuts': 'j' }, () =>
        drawer.moveCase(1),
      ),
      button('✕', { title: 'Close (Escape)', 'aria-label': 'Close', 'aria-keyshortcuts': 'Escape' }, () =>
        drawer.close(),
      ),
    ]),
  ]);
  if (row === undefined || trial === undefined) {
    return [head, element('p', { class: 'body' }, 'This report has no such trial.')];
  }
  const detail = content.detailOf(trial);
  const other =
    open.beside === undefined ? undefined : othersOf(shown, row, trial).find((known) => isBeside(known, open));
  return [
    head,
    renderChoices(shown, row, trial),
    element('div', { class: 'body' }, [
      ...(other === undefined
        ? renderTrial(trial, detail, goTo)
        : [renderDifference({ trial, detail }, { trial: other, detail: content.detailOf(other) })]),
    ]),
  ];
}

function isBeside(trial: Trial, { beside }: OpenTrial): boolean {
  return beside !== undefined && trial.old === beside.old && isAt(trial, beside);
}

function othersOf({ content }: DrawerContent, row: CaseRow, trial: Trial): readonly Trial[] {
  const old = content.baseline.filter((known) => known.suite === trial.suite && known.case === trial.case);
  return [...old, ...row.trials.flat().filter((known) => known !== trial)];
}

/** The trials of the case to choose from, and what to lay beside the one that is shown. */
function renderChoices(shown: DrawerContent, row: CaseRow, trial: Trial): HTMLElement {
  const { store, content, open } = shown;
  const groups = row.trials.flatMap((trials, index) => {
    const column = content.columns[index];
    if (column === undefined || trials.length === 0) return [];
    return [
      element('div', { class: 'choice' }, [
        element('span', { class: 'about' }, [outside(column.model), ` ${nameOfArm(column.arm)}`]),
        element(
          'span',
          { class: 'trials' },
          trials.slice(0, 50).map((known) => renderChoice(known, trial, store)),
        ),
      ]),
    ];
  });
  const others = othersOf(shown, row, trial);
  const select = element('select', { 'aria-label': 'Lay another run beside this one' }, [
    element('option', { value: 'none' }, others.length === 0 ? 'no other run' : 'no other run beside it'),
    ...others
      .slice(0, 500)
      .map((known, index) => element('option', { value: index, selected: isBeside(known, open) }, nameOfOther(known))),
  ]);
  select.addEventListener('change', () => {
    const known = select.value === 'none' ? undefined : others[Number(select.value)];
    const beside =
      known === undefined ? undefined : { old: known.old, model: known.model, arm: known.arm, trial: known.trial };
    store.change({ open: { ...open, step: undefined, beside } }, 'replace');
  });
  return element('div', { class: 'choices' }, [
    element('span', { class: `outcome ${trial.outcome}` }, `${signOf(trial.outcome)} ${trial.outcome}`),
    ...groups,
    element('label', { class: 'beside' }, ['Compare with ', select]),
  ]);
}

function renderChoice(known: Trial, trial: Trial, store: Store): HTMLElement {
  return button(
    signOf(known.outcome),
    {
      class: `trial ${known.outcome}`,
      'aria-label': `Trial ${known.trial}: ${known.outcome}`,
      title: `Trial ${known.trial}: ${known.outcome}`,
      'aria-current': known === trial ? 'true' : undefined,
    },
    () => show(store, known),
  );
}

function nameOfOther({ old, model, arm, trial, outcome }: Trial): string {
  return `${old ? 'baseline: ' : ''}${model.slice(0, 60)}, ${nameOfArm(arm)}, trial ${trial} (${outcome})`;
}
