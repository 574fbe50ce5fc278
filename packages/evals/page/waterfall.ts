import type { CheckResult } from '../src/check/check-result.js';
import { formatCost, formatDuration, formatNumber } from '../src/report/format-spent.js';
import type { PageDetail } from '../src/report/page-data.js';
import type { RunStep } from '../src/trial/run-step.js';
import { button, element, outside, type Child } from './element.js';

const names: Readonly<Record<RunStep['kind'], string>> = {
  request: 'person',
  model: 'model',
  action: 'action',
  approval: 'approval',
  skill: 'skill',
  answer: 'answer',
  problem: 'problem',
};

/** Steps that are shown at once. */
const first = 300;

/** The steps of a trial against the time that they took, each failed check beside the step that broke it. */
export function renderWaterfall({ steps, checks }: PageDetail, goTo: (seq: number) => void): HTMLElement {
  const end = steps.reduce((latest, { start, duration }) => Math.max(latest, start + duration), 0);
  const broken = Map.groupBy(
    checks.filter(({ verdict, seq }) => verdict === 'failed' && seq !== undefined),
    ({ seq }) => stepAt(steps, seq ?? 0)?.seq,
  );
  const list = element('ol', { class: 'waterfall' });
  const add = (from: number, to: number): void => {
    list.append(
      ...steps.slice(from, to).map((step) => renderStep(step, { end, broken: broken.get(step.seq) ?? [], goTo })),
    );
  };
  // As far as the last step that broke something, so that each can be gone to.
  const least = Math.max(first, steps.findLastIndex(({ seq }) => broken.has(seq)) + 1);
  add(0, least);
  if (steps.length <= least) return list;
  const more = button(`Show the other ${formatNumber(steps.length - least)} steps`, { class: 'quiet' }, () => {
    add(least, steps.length);
    more.remove();
  });
  return element('div', {}, [list, more]);
}

/** The step that an event of the run belongs to: the last one that had begun by then. */
export function stepAt(steps: readonly RunStep[], seq: number): RunStep | undefined {
  return steps.findLast((step) => step.seq <= seq) ?? steps[0];
}

interface StepContext {
  readonly end: number;
  readonly broken: readonly CheckResult[];
  readonly goTo: (seq: number) => void;
}

function renderStep(step: RunStep, { end, broken, goTo }: StepContext): HTMLElement {
  const { seq, kind, label, start, duration, ok, detail } = step;
  const classes = ['step', kind, ...(broken.length > 0 ? ['breaks'] : []), ...(ok === false ? ['bad'] : [])];
  const bar = element('span', { class: 'bar', 'aria-hidden': 'true' }, [element('span')]);
  const part = end === 0 ? 0 : 100 / end;
  bar.style.setProperty('--from', `${start * part}%`);
  bar.style.setProperty('--width', `${duration * part}%`);
  const line: readonly Child[] = [
    element('span', { class: 'seq number', title: `event ${seq} of the record` }, String(seq)),
    element('span', { class: 'kind' }, names[kind]),
    element('span', { class: 'label' }, [
      outside(label),
      ok === false ? element('span', { class: 'went' }, 'failed') : undefined,
    ]),
    bar,
    element('span', { class: 'took number' }, duration === 0 ? '' : formatDuration(duration)),
    element('span', { class: 'spent number' }, spentOf(step)),
  ];
  const more = detail === undefined || detail === '' ? undefined : element('pre', { hidden: true }, [outside(detail)]);
  const head = button(line, { class: 'line', 'aria-expanded': more === undefined ? undefined : 'false' }, () => {
    goTo(seq);
    if (more === undefined) return;
    more.hidden = !more.hidden;
    head.setAttribute('aria-expanded', String(!more.hidden));
  });
  return element('li', { class: classes.join(' '), 'data-seq': seq }, [
    head,
    ...broken.map(({ text, evidence }) =>
      element('p', { class: 'breach' }, [
        element('strong', {}, ['✗ breaks: ', outside(text)]),
        outside(evidence, { class: 'evidence' }),
      ]),
    ),
    more,
  ]);
}

function spentOf({ tokens, cost }: RunStep): string {
  const counted = tokens === undefined ? '' : `${formatNumber(tokens[0])} → ${formatNumber(tokens[1])}`;
  return [counted, cost === undefined ? '' : formatCost(cost)].filter(Boolean).join(' · ');
}
