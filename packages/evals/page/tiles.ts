import type { MeasureComparison } from '../src/gate/eval-comparison.js';
import type { EvalArm } from '../src/plan/eval-job.js';
import { formatDifference, formatDifferences, formatInterval, formatShare } from '../src/report/format-rate.js';
import { formatCost, formatDuration, formatNumber } from '../src/report/format-spent.js';
import { nameOfArm } from '../src/report/name-of-arm.js';
import { nameOfMeasure } from '../src/report/name-of-measure.js';
import type { EvalReport, KEstimate, TaskScore, TriggerScore } from '../src/score/eval-report.js';
import type { Interval, Rate } from '../src/statistics/rate.js';
import { counted } from './counted.js';
import { element, outside, section, type Child } from './element.js';
import { nameOfGate, outcomes } from './outcomes.js';

/** The numbers of a report: what was run, then what each model did with each arm. */
export function renderTiles(report: EvalReport): readonly HTMLElement[] {
  const groups = report.models.flatMap((model) => report.arms.map((arm) => ({ model, arm })));
  return [
    section('run', 'What was run', [element('div', { class: 'tiles' }, renderRun(report))]),
    section('scores', 'Scores', [
      element('p', { class: 'note' }, 'Brackets and bars show where a number lies at 95 %.'),
      ...groups.map((group) => renderGroup(report, group)).filter((group) => group !== undefined),
    ]),
  ];
}

function renderRun({ counts, spent }: EvalReport): readonly HTMLElement[] {
  const run = outcomes.reduce((sum, { outcome }) => sum + counts[outcome], 0);
  const bar = element('div', { class: 'stack', 'aria-hidden': 'true' });
  for (const { outcome } of outcomes) {
    const part = element('span', { class: outcome });
    part.style.setProperty('flex-grow', String(counts[outcome]));
    if (counts[outcome] > 0) bar.append(part);
  }
  const told = outcomes
    .filter(({ outcome }) => counts[outcome] > 0)
    .map(({ outcome, sign }) =>
      element('li', {}, [
        element('span', { class: `trial ${outcome}`, 'aria-hidden': 'true' }, sign),
        `${formatNumber(counts[outcome])} ${outcome}`,
      ]),
    );
  const missing = counts.planned - run;
  const notes = [
    missing > 0 ? `${formatNumber(missing)} of ${formatNumber(counts.planned)} planned were not run` : '',
    counts.reused > 0 ? `${formatNumber(counts.reused)} from an earlier run` : '',
  ];
  const { judge } = spent;
  return [
    tile({
      label: 'Trials',
      value: formatNumber(run),
      wide: true,
      notes,
      more: [bar, element('ul', { class: 'told' }, told)],
    }),
    tile({
      label: 'Cost',
      value: formatCost(spent.cost),
      notes: [
        spent.cost === undefined ? 'A script or a recording may have none.' : '',
        judge === undefined ? '' : `besides, ${counted(judge.calls, 'call')} of the judge: ${formatCost(judge.cost)}`,
      ],
    }),
    tile({
      label: 'Tokens',
      value: formatNumber(spent.inputTokens + spent.outputTokens),
      notes: [`${formatNumber(spent.inputTokens)} in, ${formatNumber(spent.outputTokens)} out`],
    }),
    tile({
      label: 'Time of all trials',
      value: formatDuration(spent.duration),
      notes: [`${counted(spent.turns, 'turn')} of a model`],
    }),
  ];
}

interface Group {
  readonly model: string;
  readonly arm: EvalArm;
}

function renderGroup(report: EvalReport, group: Group): HTMLElement | undefined {
  const own = <Part extends Group>(parts: readonly Part[]): Part | undefined =>
    parts.find(({ model, arm }) => model === group.model && arm === group.arm);
  const trigger = own(report.triggers);
  const task = own(report.tasks);
  const measures = (report.comparison?.measures ?? []).filter(
    ({ model, arm }) => model === group.model && arm === group.arm,
  );
  const tiles = [
    ...(trigger === undefined ? [] : renderTrigger(trigger)),
    ...(task === undefined ? [] : renderTask(task)),
    ...report.lifts.filter(({ model, arm }) => model === group.model && arm === group.arm).map(renderLift),
  ];
  if (tiles.length + measures.length === 0) return undefined;
  return element('div', { class: 'scores' }, [
    element('h3', {}, [outside(group.model), element('span', { class: 'arm' }, nameOfArm(group.arm))]),
    element('div', { class: 'tiles' }, tiles),
    measures.length === 0 ? undefined : element('div', { class: 'tiles' }, measures.map(renderMeasure)),
  ]);
}

function renderTrigger(score: TriggerScore): readonly HTMLElement[] {
  const unscored = [
    score.inconclusive === 0 ? '' : `${score.inconclusive} inconclusive`,
    score.errors === 0 ? '' : `${score.errors} ${score.errors === 1 ? 'error' : 'errors'}`,
  ].filter(Boolean);
  const apart = unscored.length === 0 ? '' : `besides, in no score: ${unscored.join(', ')}`;
  return [
    rateTile({ label: 'Recall', about: 'chose the skill that was wanted', rate: score.recall, notes: [apart] }),
    rateTile({ label: 'Precision', about: 'that chose should have', rate: score.precision }),
    rateTile({ label: 'Specificity', about: 'left alone what was not wanted', rate: score.specificity }),
    tile({
      label: 'F1',
      value: formatShare(score.f1?.value),
      notes: [score.f1 === undefined ? 'precision or recall is undefined' : formatInterval(score.f1.interval)],
      more: score.f1 === undefined ? [] : [track(score.f1.value, score.f1.interval)],
    }),
  ];
}

function renderTask(score: TaskScore): readonly HTMLElement[] {
  return [
    rateTile({ label: 'Tasks passed', about: 'passed every check', rate: score.passRate }),
    rateTile({ label: 'Checks passed', about: 'of these checks held', rate: score.checkRate }),
    ...renderEstimates(score),
  ];
}

/** For the most trials that there is an estimate for; of one trial it is the pass rate. */
function renderEstimates({ passAtK, passHatK }: TaskScore): readonly HTMLElement[] {
  const any = lastOf(passAtK);
  const all = lastOf(passHatK);
  if (any === undefined || all === undefined) return [];
  return [
    tile({
      label: `pass@${any.k}, pass^${all.k}`,
      value: formatShare(any.value),
      notes: [],
      more: [
        element('div', { class: 'note' }, `one of ${any.k} trials passes`),
        element('div', { class: 'value second' }, formatShare(all.value)),
        element('div', { class: 'note' }, `all of ${all.k} pass; means of ${counted(all.cases, 'case')}`),
      ],
    }),
  ];
}

function lastOf(estimates: readonly KEstimate[]): KEstimate | undefined {
  return estimates.findLast(({ k }) => k > 1);
}

function renderLift({ against, value, interval, pairs }: EvalReport['lifts'][number]): HTMLElement {
  return tile({
    label: `Lift against ${nameOfArm(against)}`,
    value: formatDifference(value),
    notes: [
      formatDifferences(interval),
      pairs === 0 ? 'no case has both' : `points, over ${pairs} ${pairs === 1 ? 'case' : 'cases'} with both`,
    ],
  });
}

/** Its number is another one than that of all trials: a mean over the cases that the baseline has, too. */
function renderMeasure(measure: MeasureComparison): HTMLElement {
  const { name, before, after, pairs } = measure;
  const label = nameOfMeasure[name];
  return tile({
    label: `${label.charAt(0).toUpperCase()}${label.slice(1)}, compared`,
    value: formatShare(after),
    change: measure,
    notes: [`mean over the ${pairs === 1 ? 'case' : `${formatNumber(pairs)} cases`} that both have`],
    more: [track(after, undefined, before)],
  });
}

interface RateTile {
  readonly label: string;
  readonly about: string;
  readonly rate: Rate;
  readonly notes?: readonly string[];
}

function rateTile({ label, about, rate, notes = [] }: RateTile): HTMLElement {
  const told = rate.total === 0 ? 'there was nothing to count' : `${rate.successes} of ${rate.total} ${about}`;
  return tile({
    label,
    value: formatShare(rate.value),
    notes: [formatInterval(rate.interval), told, ...notes],
    more: rate.value === undefined ? [] : [track(rate.value, rate.interval)],
  });
}

interface Tile {
  readonly label: string;
  readonly value: string;
  readonly notes: readonly string[];
  readonly change?: MeasureComparison | undefined;
  readonly more?: readonly Child[];
  readonly wide?: boolean;
}

/** One number with what is known of it. */
export function tile({ label, value, notes, change, more = [], wide = false }: Tile): HTMLElement {
  const undefinedValue = value === 'undefined' || value === formatCost(undefined);
  return element('div', { class: wide ? 'tile wide' : 'tile' }, [
    element('div', { class: 'label' }, label),
    element('div', { class: undefinedValue ? 'value none' : 'value' }, value),
    change === undefined ? undefined : renderChange(change),
    ...more,
    ...notes.filter(Boolean).map((note) => element('div', { class: 'note' }, note)),
  ]);
}

const arrows = { better: '▲', worse: '▼', no_change: '=', underpowered: '?' } as const;

function renderChange({ verdict, difference, before }: MeasureComparison): HTMLElement {
  return element('div', { class: `change ${verdict}` }, [
    element('span', { 'aria-hidden': 'true' }, `${arrows[verdict]} `),
    `${formatDifference(difference)} from ${formatShare(before).replace(' ', '\u{A0}')}: ${nameOfGate(verdict)}`,
  ]);
}

/** A line from 0 to 1 with a value, its interval and, where there is one, the value of the baseline. */
export function track(value: number, interval: Interval | undefined, before?: number): HTMLElement {
  const made = element('div', { class: 'track', 'aria-hidden': 'true' });
  if (interval !== undefined) {
    const range = element('span', { class: 'range' });
    range.style.setProperty('left', `${interval.low * 100}%`);
    range.style.setProperty('width', `${(interval.high - interval.low) * 100}%`);
    made.append(range);
  }
  for (const [at, name] of [[before, 'before'] as const, [value, 'point'] as const]) {
    if (at === undefined) continue;
    const point = element('span', { class: name });
    point.style.setProperty('left', `${at * 100}%`);
    made.append(point);
  }
  return made;
}
