import { formatRate, formatShare } from '../src/report/format-rate.js';
import { nameOfArm } from '../src/report/name-of-arm.js';
import type { ConfusionCell, TriggerScore } from '../src/score/eval-report.js';
import type { Rate } from '../src/statistics/rate.js';
import type { PageContent } from './content.js';
import { scrolling } from './comparison.js';
import { counted } from './counted.js';
import { button, element, outside, section } from './element.js';
import { noFilter, type Store } from './state.js';

/** Skills that a matrix has room for. */
const most = 40;

/** Which skill was chosen where another one was wanted, for each model and arm. */
export function renderConfusion(content: PageContent, store: Store): HTMLElement | undefined {
  const scores = content.data.report.triggers.filter(({ confusion }) => confusion.length > 0);
  const [chosen] = scores;
  if (chosen === undefined) return undefined;
  const holder = element('div', { class: 'matrix' }, [renderMatrix(chosen, store)]);
  const select = element(
    'select',
    { 'aria-label': 'Model and arm of the matrix' },
    scores.map(({ model, arm }, index) =>
      element('option', { value: index }, `${model.slice(0, 100)}, ${nameOfArm(arm)}`),
    ),
  );
  select.addEventListener('change', () => {
    const score = scores[Number(select.value)];
    if (score !== undefined) holder.replaceChildren(renderMatrix(score, store));
  });
  return section('confusion', 'Wanted and chosen', [
    element(
      'p',
      { class: 'note' },
      'Rows are what was wanted, columns what was chosen. A number shows its trials below.',
    ),
    scores.length > 1 ? select : undefined,
    holder,
  ]);
}

function renderMatrix(score: TriggerScore, store: Store): HTMLElement {
  const { wanted, fired, left } = sidesOf(score.confusion);
  const byPlace = new Map(score.confusion.map((cell) => [JSON.stringify([cell.wanted, cell.fired]), cell]));
  const skills = new Map(score.skills.map((skill) => [skill.skill, skill]));
  const recall = (skill: string | null): Rate | undefined => skills.get(skill ?? '')?.recall;
  const precision = (skill: string | null): Rate | undefined => skills.get(skill ?? '')?.precision;
  const body = wanted.map((want) => {
    const total = score.confusion.reduce((sum, cell) => sum + (cell.wanted === want ? cell.count : 0), 0);
    const cells = fired.map((fire) => {
      const cell = byPlace.get(JSON.stringify([want, fire])) ?? { wanted: want, fired: fire, count: 0 };
      const { count } = cell;
      const made = element('td', { class: kindOf(cell) });
      made.style.setProperty('--part', String(total === 0 ? 0 : count / total));
      if (count === 0) made.append('·');
      else made.append(renderCount(cell, score, store));
      return made;
    });
    return element('tr', {}, [element('th', { scope: 'row' }, [nameSkill(want)]), ...cells, renderRate(recall(want))]);
  });
  return element('div', {}, [
    scrolling(`Matrix of ${score.model.slice(0, 100)}, ${nameOfArm(score.arm)}`, [
      element('thead', {}, [
        element('tr', {}, [
          element('th', { scope: 'col', class: 'corner' }, 'wanted ↓ chosen →'),
          ...fired.map((fire) => element('th', { scope: 'col' }, [nameSkill(fire)])),
          element('th', { scope: 'col', class: 'rate' }, 'recall'),
        ]),
      ]),
      element('tbody', {}, body),
      element('tfoot', {}, [
        element('tr', {}, [
          element('th', { scope: 'row', class: 'rate' }, 'precision'),
          ...fired.map((fire) => renderRate(precision(fire))),
          element('td'),
        ]),
      ]),
    ]),
    left === 0
      ? element('span')
      : element(
          'p',
          { class: 'note' },
          `${counted(left, 'more skill is', 'more skills are')} not shown: those mixed up least.`,
        ),
  ]);
}

/** What a case lets be chosen is no mistake. */
function kindOf({ wanted, fired, count, allowed = 0 }: ConfusionCell): 'nothing' | 'right' | 'wrong' | 'allowed' {
  if (count === 0) return 'nothing';
  if (wanted === fired) return 'right';
  return allowed === count ? 'allowed' : 'wrong';
}

function renderRate(rate: Rate | undefined): HTMLElement {
  const title = rate === undefined ? undefined : formatRate(rate);
  return element('td', { class: 'rate', title }, rate === undefined ? '' : formatShare(rate.value));
}

function renderCount(cell: ConfusionCell, { model, arm }: TriggerScore, store: Store): HTMLElement {
  const wanted = cell.wanted ?? '';
  const fired = cell.fired ?? '';
  const { allowed = 0 } = cell;
  const label = `${cell.count}: wanted ${wanted || 'none'}, chose ${fired || 'none'}${allowed === 0 ? '' : `; ${allowed === cell.count ? 'none' : cell.count - allowed} of them by mistake`}`;
  return button(String(cell.count), { class: 'cell', 'aria-label': label, title: label }, () => {
    store.change({ filter: { ...noFilter, model, arm, confused: { wanted, fired } } }, 'push');
    document.querySelector('#cases')?.scrollIntoView();
  });
}

function nameSkill(skill: string | null): HTMLElement {
  return skill === null ? element('em', {}, 'none') : outside(skill);
}

/** Both sides of the matrix by name, `none` last; of very many skills, those that were mixed up most. */
function sidesOf(cells: readonly ConfusionCell[]): {
  readonly wanted: readonly (string | null)[];
  readonly fired: readonly (string | null)[];
  readonly left: number;
} {
  const mixed = new Map<string, number>();
  for (const { wanted, fired, count } of cells) {
    for (const skill of [wanted, fired]) {
      if (skill !== null) mixed.set(skill, (mixed.get(skill) ?? 0) + (wanted === fired ? 0 : count));
    }
  }
  const kept = [...mixed].toSorted(([, one], [, other]) => other - one).slice(0, most);
  const names = new Set(kept.map(([skill]) => skill));
  const side = (skills: readonly (string | null)[]): readonly (string | null)[] => {
    const own = new Set(skills);
    return [...[...names].filter((skill) => own.has(skill)).toSorted(), ...(own.has(null) ? [null] : [])];
  };
  return {
    wanted: side(cells.map(({ wanted }) => wanted)),
    fired: side(cells.map(({ fired }) => fired)),
    left: mixed.size - names.size,
  };
}
