import { nameOfArm } from '../src/report/name-of-arm.js';
import type { TrialOutcome } from '../src/results/eval-result.js';
import type { PageContent } from './content.js';
import { button, element, outside } from './element.js';
import type { FilteredRows } from './filter-rows.js';
import { outcomes, signOf } from './outcomes.js';
import { noFilter, type Filter, type Store } from './state.js';

/** What narrows the strip, and says how much is left of it. */
export interface FilterBar {
  readonly element: HTMLElement;
  /** Shows what the filter is, and what it leaves. */
  update(shown: FilteredRows): void;
  focus(): void;
}

/** Makes the filter of the page. */
export function createFilterBar(content: PageContent, store: Store): FilterBar {
  const change = (part: Partial<Filter>): void => {
    store.change({ filter: { ...store.state.filter, ...part } }, 'replace');
  };
  const search = element('input', {
    type: 'search',
    placeholder: 'Find a case by name, tag or text',
    'aria-label': 'Find a case by name, tag or text',
    'aria-keyshortcuts': '/',
    maxlength: 500,
    spellcheck: 'false',
    autocomplete: 'off',
  });
  search.addEventListener('input', () => change({ text: search.value }));
  const chips = createChips(content, store, change);
  const report = content.data.report;
  const tags = [...new Set(report.cases.flatMap((score) => score.tags))].toSorted();
  const selects = [
    createSelect('tag', tags.map(sameName), (tag) => change({ tag })),
    createSelect('model', report.models.map(sameName), (model) => change({ model })),
    createSelect(
      'arm',
      report.arms.map((arm) => [arm, nameOfArm(arm)] as const),
      (arm) => change({ arm }),
    ),
  ] as const;
  const confused = element('span', { class: 'confused' });
  const clear = button('Show all', { class: 'quiet' }, () => change(noFilter));
  const status = element('p', { role: 'status', class: 'status' });
  return {
    element: element('div', { class: 'filter', role: 'search' }, [
      search,
      element(
        'div',
        { class: 'chips', role: 'group', 'aria-label': 'Outcomes' },
        chips.map(({ chip }) => chip),
      ),
      element('div', { class: 'selects' }, [...selects.map((select) => select.element), confused, clear]),
      status,
    ]),
    focus: () => search.focus(),
    update(shown) {
      const { filter } = store.state;
      if (search.value !== filter.text) search.value = filter.text;
      for (const { outcome, chip } of chips)
        chip.setAttribute('aria-pressed', String(filter.outcomes.includes(outcome)));
      selects[0].show(filter.tag);
      selects[1].show(filter.model);
      selects[2].show(filter.arm);
      confused.replaceChildren(...(filter.confused === undefined ? [] : tellConfused(filter.confused)));
      clear.hidden = JSON.stringify(filter) === JSON.stringify(noFilter);
      const { cases } = report;
      status.textContent = `${shown.rows.length} of ${cases.length} ${cases.length === 1 ? 'case' : 'cases'}, ${shown.trials} ${shown.trials === 1 ? 'trial' : 'trials'}`;
    },
  };
}

function createChips(
  { data }: PageContent,
  store: Store,
  change: (part: Partial<Filter>) => void,
): readonly { readonly outcome: TrialOutcome; readonly chip: HTMLElement }[] {
  return outcomes.map(({ outcome, title }) => {
    const label = [
      element('span', { class: `trial ${outcome}`, 'aria-hidden': 'true' }, signOf(outcome)),
      outcome,
      element('span', { class: 'count' }, String(data.report.counts[outcome])),
    ];
    const chip = button(label, { class: 'chip', title, 'data-outcome': outcome }, () => {
      const chosen = store.state.filter.outcomes;
      const next = chosen.includes(outcome) ? chosen.filter((other) => other !== outcome) : [...chosen, outcome];
      change({ outcomes: next });
    });
    return { outcome, chip };
  });
}

function sameName(name: string): readonly [string, string] {
  return [name, name];
}

function tellConfused({ wanted, fired }: { readonly wanted: string; readonly fired: string }): readonly Node[] {
  return [
    document.createTextNode('wanted '),
    outside(wanted === '' ? 'none' : wanted),
    document.createTextNode(', chose '),
    outside(fired === '' ? 'none' : fired),
  ];
}

function createSelect(
  name: string,
  values: readonly (readonly [value: string, label: string])[],
  choose: (value: string | undefined) => void,
): { readonly element: HTMLElement; show(value: string | undefined): void } {
  const select = element('select', { 'aria-label': `Show one ${name}`, disabled: values.length === 0 }, [
    element('option', { value: 'all' }, `every ${name}`),
    // A value may be any text, that of the first option, too.
    ...values.map(([value, label]) => element('option', { value: `=${value}` }, label.slice(0, 100))),
  ]);
  select.addEventListener('change', () => choose(select.value === 'all' ? undefined : select.value.slice(1)));
  return {
    element: select,
    show(value) {
      select.value = value === undefined ? 'all' : `=${value}`;
    },
  };
}
