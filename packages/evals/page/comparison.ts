import type { CaseChange, EvalComparison, MeasureComparison } from '../src/gate/eval-comparison.js';
import { formatDifference, formatDifferences, formatProbability, formatShare } from '../src/report/format-rate.js';
import { formatNumber } from '../src/report/format-spent.js';
import { nameOfArm } from '../src/report/name-of-arm.js';
import { nameOfMeasure } from '../src/report/name-of-measure.js';
import type { PageContent } from './content.js';
import { renderReasons } from './banner.js';
import { button, element, outside, section, type Child } from './element.js';
import { nameOfGate } from './outcomes.js';
import type { Store } from './state.js';

/** Changes that are shown at once. */
const first = 12;

/** What is another than in the baseline, measure by measure and case by case. */
export function renderComparison(content: PageContent, store: Store): HTMLElement | undefined {
  const { comparison } = content.data.report;
  if (comparison === undefined) return undefined;
  return section('baseline', 'Against the baseline', [
    ...renderReasons(comparison.reasons),
    comparison.measures.length === 0 ? undefined : renderMeasures(comparison.measures),
    ...renderChanges(comparison, store),
    ...renderAlone('Only in the baseline', comparison.onlyInBaseline),
    ...renderAlone('Only here', comparison.onlyHere),
  ]);
}

function renderMeasures(measures: readonly MeasureComparison[]): HTMLElement {
  const heads = ['Measure', 'Verdict', 'Before', 'Now', 'Difference in points', 'Lost / won', 'p', 'Cases'];
  const rows = measures.map((measure) =>
    element('tr', {}, [
      element('th', { scope: 'row' }, [
        nameOfMeasure[measure.name],
        element('span', { class: 'about' }, [outside(measure.model), `, ${nameOfArm(measure.arm)}`]),
      ]),
      element('td', {}, [element('span', { class: `gate ${measure.verdict}` }, nameOfGate(measure.verdict))]),
      element('td', { class: 'number' }, formatShare(measure.before)),
      element('td', { class: 'number' }, formatShare(measure.after)),
      element(
        'td',
        { class: 'number' },
        `${formatDifference(measure.difference)} ${formatDifferences(measure.interval)}`,
      ),
      element('td', { class: 'number' }, `${measure.lost} / ${measure.won}`),
      element('td', { class: 'number' }, formatProbability(measure.adjustedPValue ?? measure.pValue).replace('= ', '')),
      // How many would do stands in the reasons, with the difference that they would show.
      element('td', { class: 'number' }, formatNumber(measure.pairs)),
    ]),
  );
  return scrolling('Measures against the baseline', [
    element('thead', {}, [
      element(
        'tr',
        {},
        heads.map((head) => element('th', { scope: 'col' }, head)),
      ),
    ]),
    element('tbody', {}, rows),
  ]);
}

/** A table that scrolls by itself where it is too wide, with the keyboard, too. */
export function scrolling(label: string, parts: readonly Child[]): HTMLElement {
  return element('div', { class: 'scrolling', role: 'region', tabindex: 0, 'aria-label': label }, [
    element('table', {}, parts),
  ]);
}

function renderChanges({ changes }: EvalComparison, store: Store): readonly HTMLElement[] {
  if (changes.length === 0) return [element('p', { class: 'note' }, 'No case has another pass rate.')];
  const list = element(
    'ul',
    { class: 'changes' },
    changes.slice(0, first).map((change) => renderChange(change, store)),
  );
  const title = element('h3', {}, `Cases with another pass rate: ${formatNumber(changes.length)}`);
  if (changes.length <= first) return [title, list];
  const more = button(`Show the other ${formatNumber(changes.length - first)}`, { class: 'quiet' }, () => {
    list.append(...changes.slice(first).map((change) => renderChange(change, store)));
    more.remove();
  });
  return [title, list, more];
}

function renderChange(change: CaseChange, store: Store): HTMLElement {
  const { suite, case: name, model, arm, before, after, why } = change;
  const open = {
    suite,
    case: name,
    model,
    arm,
    trial: 1,
    step: undefined,
    beside: { old: true, model, arm, trial: 1 },
  };
  const worse = after < before;
  return element('li', { class: worse ? 'worse' : 'better' }, [
    element('span', { class: 'arrow', 'aria-hidden': 'true' }, worse ? '▼' : '▲'),
    element('span', { class: 'number' }, `${formatShare(before)} → ${formatShare(after)}`),
    element('span', {}, [
      button([outside(`${suite}/${name}`)], { class: 'link' }, () => store.change({ open }, 'push')),
      element('span', { class: 'about' }, [
        outside(model),
        `, ${nameOfArm(arm)}`,
        ...(why === undefined ? [] : [': ', outside(why)]),
      ]),
    ]),
  ]);
}

function renderAlone(title: string, cases: readonly string[]): readonly HTMLElement[] {
  if (cases.length === 0) return [];
  return [
    element('details', {}, [
      element('summary', {}, `${title}: ${formatNumber(cases.length)}, counted in no measure`),
      element(
        'ul',
        { class: 'plain' },
        cases.slice(0, 500).map((name) => element('li', {}, [outside(name)])),
      ),
    ]),
  ];
}
