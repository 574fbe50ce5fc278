import type { EvalReport } from '../src/score/eval-report.js';
import { element, outside } from './element.js';
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
      element(
        'ul',
        { class: 'reasons' },
        verdict.reasons.map((reason) => element('li', {}, [outside(reason)])),
      ),
    ]),
  ]);
}
