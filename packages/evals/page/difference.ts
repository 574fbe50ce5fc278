import { formatCost, formatDuration, formatNumber } from '../src/report/format-spent.js';
import { nameOfArm } from '../src/report/name-of-arm.js';
import type { PageDetail } from '../src/report/page-data.js';
import type { RunStep } from '../src/trial/run-step.js';
import { align } from './align.js';
import type { Trial } from './content.js';
import { element, outside, type Child } from './element.js';

/** One side of a comparison. */
export interface DifferenceSide {
  readonly trial: Trial;
  readonly detail: PageDetail;
}

/** Rows that a difference shows at most. */
const most = 1_000;

/** Two runs of a case beside each other: what they came to, their steps aligned, their answers by line. */
export function renderDifference(left: DifferenceSide, right: DifferenceSide): HTMLElement {
  const steps = pair(left.detail.steps.map(nameOfStep), right.detail.steps.map(nameOfStep), (one, other) => {
    return left.detail.steps[one]?.kind === right.detail.steps[other]?.kind;
  });
  const lines = [left.detail.answer, right.detail.answer].map((text) => (text === '' ? [] : text.split('\n')));
  const [one = [], other = []] = lines;
  return element('div', { class: 'difference' }, [
    renderSummary(left, right),
    element('h3', {}, `Steps: ${told(steps)}`),
    renderSides(steps, 'Steps of both', (index, side) => renderStep((side === 'left' ? left : right).detail, index)),
    ...(one.length + other.length === 0 ? [] : renderAnswers(one, other)),
  ]);
}

function renderAnswers(one: readonly string[], other: readonly string[]): readonly HTMLElement[] {
  const lines = pair(one, other, () => true);
  return [
    element('h3', {}, `Answers: ${told(lines)}`),
    renderSides(lines, 'Answers of both', (index, side) => [
      outside((side === 'left' ? one : other)[index] ?? '', { class: 'answer-line' }),
    ]),
  ];
}

type Kind = 'same' | 'changed' | 'left' | 'right';

interface Row {
  readonly kind: Kind;
  readonly left: number | undefined;
  readonly right: number | undefined;
}

/** Aligned rows, in which what is only left and what is only right become one row where they are of one sort. */
function pair(
  left: readonly string[],
  right: readonly string[],
  sort: (one: number, other: number) => boolean,
): readonly Row[] {
  const rows: Row[] = [];
  let open: number[] = [];
  for (const { left: one, right: other } of align(left, right)) {
    if (one !== undefined && other !== undefined) {
      open = [];
      rows.push({ kind: 'same', left: one, right: other });
    } else if (one !== undefined) {
      open.push(rows.length);
      rows.push({ kind: 'left', left: one, right: undefined });
    } else if (other !== undefined) {
      const place = open.find((index) => sort(rows[index]?.left ?? 0, other));
      if (place === undefined) {
        rows.push({ kind: 'right', left: undefined, right: other });
      } else {
        rows[place] = { kind: 'changed', left: rows[place]?.left, right: other };
        open = open.filter((index) => index > place);
      }
    }
  }
  return rows;
}

function told(rows: readonly Row[]): string {
  const count = (kind: Kind): number => rows.filter((row) => row.kind === kind).length;
  const parts = [
    [count('same'), 'the same'],
    [count('changed'), 'changed'],
    [count('left'), 'only left'],
    [count('right'), 'only right'],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, name]) => `${formatNumber(number)} ${name}`)
    .join(', ');
}

const signs: Readonly<Record<Kind, string>> = { same: '=', changed: '≠', left: '−', right: '+' };
const kinds: Readonly<Record<Kind, string>> = {
  same: 'the same',
  changed: 'changed',
  left: 'only left',
  right: 'only right',
};

function renderSides(
  rows: readonly Row[],
  label: string,
  render: (index: number, side: 'left' | 'right') => readonly Child[],
): HTMLElement {
  const body = rows
    .slice(0, most)
    .map(({ kind, left, right }) =>
      element('tr', { class: kind }, [
        element('td', {}, left === undefined ? [] : render(left, 'left')),
        element('td', { class: 'sign' }, [
          element('span', { role: 'img', 'aria-label': kinds[kind], title: kinds[kind] }, signs[kind]),
        ]),
        element('td', {}, right === undefined ? [] : render(right, 'right')),
      ]),
    );
  if (rows.length > most) {
    body.push(element('tr', {}, [element('td', { colspan: 3 }, `and ${formatNumber(rows.length - most)} more`)]));
  }
  return element('table', { class: 'sides', 'aria-label': label }, [
    element('thead', {}, [
      element('tr', {}, [
        element('th', { scope: 'col' }, 'this run'),
        element('th', { class: 'sign' }, [element('span', { class: 'unseen' }, 'difference')]),
        element('th', { scope: 'col' }, 'the other'),
      ]),
    ]),
    element('tbody', {}, body),
  ]);
}

function renderStep({ steps }: PageDetail, index: number): readonly Child[] {
  const step = steps[index];
  if (step === undefined) return [];
  return [
    element('span', { class: 'seq number' }, String(step.seq)),
    outside(step.label, { class: step.ok === false ? 'bad' : '' }),
    element('span', { class: 'took number' }, step.duration === 0 ? '' : formatDuration(step.duration)),
  ];
}

function nameOfStep({ kind, label, ok }: RunStep): string {
  return JSON.stringify([kind, label, ok ?? null]);
}

function renderSummary(left: DifferenceSide, right: DifferenceSide): HTMLElement {
  // Two runs never take the same time: only what somebody would act on is marked.
  const marked = new Set(['outcome', 'chosen', 'failed checks']);
  const rows: readonly (readonly [string, (side: DifferenceSide) => string])[] = [
    [
      'run',
      ({ trial }) => `${trial.old ? 'baseline, ' : ''}${trial.model}, ${nameOfArm(trial.arm)}, trial ${trial.trial}`,
    ],
    ['outcome', ({ trial }) => trial.outcome],
    ['chosen', ({ trial }) => trial.fired.join(', ') || 'none'],
    ['failed checks', ({ detail }) => failuresOf(detail)],
    ['cost', ({ detail }) => formatCost(detail.spent.cost)],
    ['time', ({ detail }) => formatDuration(detail.spent.duration)],
    ['tokens', ({ detail }) => formatNumber(detail.spent.inputTokens + detail.spent.outputTokens)],
    ['turns', ({ detail }) => formatNumber(detail.spent.turns)],
  ];
  return element('table', { class: 'summary', 'aria-label': 'What both runs came to' }, [
    element(
      'tbody',
      {},
      rows.map(([name, of]) =>
        element('tr', { class: marked.has(name) && of(left) !== of(right) ? 'changed' : 'same' }, [
          element('th', { scope: 'row' }, name),
          element('td', {}, [outside(of(left))]),
          element('td', {}, [outside(of(right))]),
        ]),
      ),
    ),
  ]);
}

function failuresOf({ checks }: PageDetail): string {
  const failed = checks.filter(({ verdict }) => verdict === 'failed').map(({ text }) => text);
  return failed.join('; ') || 'none';
}
