import type { CheckResult } from '../src/check/check-result.js';
import { formatCost, formatDuration, formatNumber } from '../src/report/format-spent.js';
import type { PageDetail } from '../src/report/page-data.js';
import type { Trial } from './content.js';
import { counted } from './counted.js';
import { button, element, outside, type Child } from './element.js';
import { renderWaterfall, stepAt } from './waterfall.js';

const verdicts = {
  passed: { sign: '✓', outcome: 'passed' },
  failed: { sign: '✗', outcome: 'failed' },
  not_judged: { sign: '?', outcome: 'inconclusive' },
} as const;

/** One trial: what was asked and expected, what was done, and what it took. */
export function renderTrial(trial: Trial, detail: PageDetail, goTo: (seq: number) => void): readonly HTMLElement[] {
  const { reason, checks, answer, files } = detail;
  return [
    ...(reason === undefined
      ? []
      : [
          element('p', { class: `reason ${trial.outcome}` }, [
            element('code', {}, reason.code),
            outside(reason.message),
          ]),
        ]),
    part('Asked', [element('pre', { class: 'asked' }, [outside(detail.input)])]),
    ...(checks.length === 0 ? [] : [part(`Expected: ${checksTold(checks)}`, [renderChecks(checks, detail, goTo)])]),
    ...(trial.wanted === undefined ? [] : [part('Skills', [renderSkills(trial)])]),
    part('Transcript', [renderTranscript(detail, goTo)]),
    ...(answer === '' ? [] : [part('Answer', [element('pre', { class: 'answer' }, [outside(answer)])])]),
    ...(files.length === 0
      ? []
      : [
          part('Files that were left', [
            element(
              'ul',
              { class: 'plain' },
              files.map(({ path, size }) => element('li', {}, [outside(path), ` ${formatNumber(size)} bytes`])),
            ),
          ]),
        ]),
    part('What it took', [renderSpent(detail)]),
  ];
}

function part(title: string, children: readonly Child[]): HTMLElement {
  return element('section', { class: 'part' }, [element('h3', {}, title), ...children]);
}

function checksTold(checks: readonly CheckResult[]): string {
  const passed = checks.filter(({ verdict }) => verdict === 'passed').length;
  return `${passed} of ${checks.length} held`;
}

function renderChecks(checks: readonly CheckResult[], { steps }: PageDetail, goTo: (seq: number) => void): HTMLElement {
  // What failed comes first: it is what a reader looks for.
  const order = { failed: 0, not_judged: 1, passed: 2 } as const;
  const sorted = checks.toSorted((one, other) => order[one.verdict] - order[other.verdict]);
  return element(
    'ul',
    { class: 'checks' },
    sorted.map(({ kind, text, verdict, evidence, seq }) => {
      const step = seq === undefined ? undefined : stepAt(steps, seq);
      const { sign, outcome } = verdicts[verdict];
      return element('li', { class: outcome }, [
        element('span', { class: `trial ${outcome}`, role: 'img', 'aria-label': verdict.replace('_', ' ') }, sign),
        element('div', {}, [
          element('div', { class: 'text' }, [outside(text), element('span', { class: 'kind' }, kind)]),
          evidence === '' ? undefined : outside(evidence, { class: 'evidence' }),
          ' ',
          step === undefined ? undefined : button(`step ${step.seq}`, { class: 'link' }, () => goTo(step.seq)),
        ]),
      ]);
    }),
  );
}

function renderSkills({ wanted, fired }: Trial): HTMLElement {
  const list = (skills: readonly string[], between: string): readonly Child[] =>
    skills.length === 0
      ? [element('em', {}, 'none')]
      : skills.flatMap((skill, index) => [index === 0 ? undefined : between, outside(skill, { class: 'tag' })]);
  return element('dl', {}, [
    element('dt', {}, 'wanted'),
    element('dd', {}, list(wanted?.skills ?? [], wanted?.all === true ? ' and ' : ' or ')),
    ...(wanted?.not.length === 0 || wanted === undefined
      ? []
      : [element('dt', {}, 'not wanted'), element('dd', {}, list(wanted.not, ', '))]),
    element('dt', {}, 'chosen'),
    element('dd', {}, list(fired, ', then ')),
  ]);
}

function renderTranscript(detail: PageDetail, goTo: (seq: number) => void): HTMLElement {
  if (detail.cut === true) {
    return element('p', { class: 'note' }, 'It was left out, so that this page stays small. The results have it.');
  }
  if (detail.steps.length === 0) return element('p', { class: 'note' }, 'Nothing was done.');
  return renderWaterfall(detail, goTo);
}

function renderSpent({ spent, at, attempts }: PageDetail): HTMLElement {
  const { judge } = spent;
  const rows: readonly (readonly [string, string])[] = [
    ['cost', formatCost(spent.cost)],
    ['time', formatDuration(spent.duration)],
    ['tokens', `${formatNumber(spent.inputTokens)} in, ${formatNumber(spent.outputTokens)} out`],
    ['turns', formatNumber(spent.turns)],
    ['tool calls', formatNumber(spent.toolCalls)],
    ['scripts', formatNumber(spent.scripts)],
    ['judge', judge === undefined ? 'none' : `${formatCost(judge.cost)}, ${counted(judge.calls, 'call')}`],
    ['begun', attempts === 1 ? at : `${at}, ${attempts} times`],
  ];
  return element(
    'dl',
    { class: 'spent' },
    rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, [outside(value)])]),
  );
}
