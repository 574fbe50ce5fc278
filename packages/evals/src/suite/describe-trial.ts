import { visibleLines, visibleText } from '@skillpack/core';
import type { EvalResult } from '../results/eval-result.js';

const shownSteps = 40;

/** What a failed trial says in the output of a test runner: the checks that failed, what there was instead, and the steps. */
export function describeFailure(result: EvalResult): string {
  const failed = result.checks.filter(({ verdict }) => verdict === 'failed');
  const broken = new Set(failed.map(({ seq }) => seq).filter((seq) => seq !== undefined));
  const checks = failed.flatMap(({ kind, text, evidence }) => [
    `  ${kind}: ${visibleText(text)}`,
    ...(evidence === '' ? [] : [indent(visibleLines(evidence), '      ')]),
  ]);
  return [
    `${failed.length} of ${result.checks.length} checks of ${nameTrial(result)} failed.`,
    ...checks,
    ...stepLines(result, broken),
  ].join('\n');
}

/** What a trial says that could not be scored. */
export function describeUnscored(result: EvalResult): string {
  const { code = 'INCONCLUSIVE', message = 'nobody says why' } = result.reason ?? {};
  const often = result.attempts > 1 ? ` after ${result.attempts} attempts` : '';
  return `${nameTrial(result)} was not scored${often}: ${code} ${visibleText(message)}`;
}

/** `pdf/reads-a-table (with_skill, anthropic:claude-sonnet-4-5, trial 2)`. */
function nameTrial({
  suite,
  case: name,
  arm,
  model,
  trial,
}: Pick<EvalResult, 'suite' | 'case' | 'arm' | 'model' | 'trial'>): string {
  return visibleText(`${suite}/${name} (${arm}, ${model}, trial ${trial})`);
}

function stepLines({ steps }: EvalResult, broken: ReadonlySet<number>): readonly string[] {
  if (steps.length === 0) return [];
  const left = steps.length - shownSteps;
  return [
    'What it did:',
    ...steps
      .slice(0, shownSteps)
      .map(
        ({ seq, kind, label, ok }) =>
          `  ${broken.has(seq) ? '>' : ' '} ${kind}: ${visibleText(label)}${ok === false ? ' (failed)' : ''}`,
      ),
    ...(left > 0 ? [`    and ${left} more`] : []),
  ];
}

function indent(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => `${by}${line}`)
    .join('\n');
}
