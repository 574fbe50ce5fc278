import type { EvalArm, GateVerdict, MeasureComparison } from '@skillpack/evals';
import type { ComparedEvals } from '../evals/compare-evals.js';
import type { Style } from '../frame/style.js';
import { columns } from './columns.js';

const mostShown = 20;

/** Two runs held against each other, for people: measures, cases, who took queries from whom, and last the verdict. */
export function renderComparedEvals(compared: ComparedEvals, style: Style): string {
  const { comparison, rankComparison, verdict } = compared;
  const parts: string[] = [];
  if (comparison !== null) {
    parts.push(columns(comparison.measures.map((measure) => measureRow(measure, style))));
    const changes = comparison.changes.slice(0, mostShown);
    const rows = changes.map((change) => [
      `${change.suite}/${change.case}`,
      change.model,
      armWords[change.arm],
      `${percent(change.before)} → ${percent(change.after)}`,
      change.why ?? '',
    ]);
    parts.push(columns(rows, '  '), more(comparison.changes.length));
  }
  if (rankComparison !== null) {
    const thefts = rankComparison.thefts.slice(0, mostShown);
    parts.push(
      thefts
        .map(({ thief, victim, queries }) => `${thief} took from ${victim}: ${queries.slice(0, 3).join(' · ')}`)
        .join('\n'),
    );
  }
  const reasons = [...(comparison?.reasons ?? []), ...(rankComparison?.reasons.map((one) => `Ranks: ${one}`) ?? [])];
  parts.push(
    [`${markOf(verdict, style)} ${style.bold(verdict.replace('_', ' '))}`, ...reasons.map((one) => `  ${one}`)].join(
      '\n',
    ),
  );
  return parts.filter((part) => part !== '').join('\n\n');
}

const armWords: Readonly<Record<EvalArm, string>> = {
  with_skill: 'with',
  without_skill: 'without',
  old_skill: 'old',
};

function measureRow(measure: MeasureComparison, style: Style): readonly string[] {
  const { name, model, arm, before, after, pairs, pValue, verdict } = measure;
  return [
    markOf(verdict, style),
    name === 'pass_rate' ? 'pass rate of all cases' : name,
    model,
    armWords[arm],
    `${percent(before)} → ${percent(after)}`,
    `${pairs} cases`,
    `p ${pValue.toFixed(3)}`,
  ];
}

function more(count: number): string {
  return count > mostShown ? `  … and ${count - mostShown} more` : '';
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function markOf(verdict: GateVerdict, style: Style): string {
  switch (verdict) {
    case 'worse':
      return style.red('✗');
    case 'better':
      return style.green('✓');
    case 'no_change':
      return style.green('=');
    case 'underpowered':
      return style.yellow('?');
  }
}
