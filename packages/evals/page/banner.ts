import type { EvalReport } from '../src/score/eval-report.js';
import { element, outside, type Child } from './element.js';
import { nameOfGate } from './outcomes.js';

const signs = { passed: '✓', failed: '✗', invalid: '!', incomplete: '–' } as const;
const names = { passed: 'Passed', failed: 'Failed', invalid: 'Invalid', incomplete: 'Incomplete' } as const;

/** The verdict with its reasons, which is what a reader came for. */
export function renderBanner({ verdict, comparison }: EvalReport): HTMLElement {
  const about = {
    passed: undefined,
    failed: undefined,
    invalid: 'Too little could be scored: no number below counts.',
    incomplete: 'It ended before its end: trials are missing.',
  }[verdict.kind];
  return element('section', { class: `banner ${verdict.kind}`, 'aria-labelledby': 'verdict' }, [
    element('span', { class: 'sign', 'aria-hidden': 'true' }, signs[verdict.kind]),
    element('div', {}, [
      element('h2', { id: 'verdict' }, [
        names[verdict.kind],
        comparison === undefined
          ? undefined
          : element(
              'span',
              { class: `gate ${comparison.verdict}` },
              `against the baseline: ${nameOfGate(comparison.verdict)}`,
            ),
      ]),
      about === undefined ? undefined : element('p', {}, about),
      ...renderReasons(verdict.reasons),
    ]),
  ]);
}

/** Reasons that are shown at once. */
const first = 5;

/** Reasons one below the other; of many, the first ones. */
export function renderReasons(reasons: readonly string[]): readonly Child[] {
  const list = (some: readonly string[]): HTMLElement =>
    element(
      'ul',
      { class: 'reasons' },
      some.map((reason) => element('li', {}, [outside(reason)])),
    );
  if (reasons.length <= first + 1) return [list(reasons)];
  const rest = reasons.slice(first);
  return [
    list(reasons.slice(0, first)),
    element('details', {}, [element('summary', {}, `${rest.length} more reasons`), list(rest)]),
  ];
}
