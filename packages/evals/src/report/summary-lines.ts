import { visibleText } from '@skillpack/core';
import { describeNeeded } from '../gate/describe-needed.js';
import type { CaseChange, MeasureComparison } from '../gate/eval-comparison.js';
import type { CaseCell, CaseScore, EvalReport, Lift, OutcomeCounts, ReportSpent } from '../score/eval-report.js';
import { countOf } from './count-of.js';
import { formatDifference, formatDifferences, formatProbability, formatShare } from './format-rate.js';
import { formatCost, formatDuration, formatNumber } from './format-spent.js';
import { nameOfArm } from './name-of-arm.js';
import { nameOfMeasure } from './name-of-measure.js';

/** What a verdict is called. */
export const nameOfVerdict: Readonly<Record<EvalReport['verdict']['kind'], string>> = {
  passed: 'Passed',
  failed: 'Failed',
  invalid: 'Invalid',
  incomplete: 'Incomplete',
};

const outcomes = ['passed', 'failed', 'inconclusive', 'error', 'stopped'] as const;

/** How trials ended, in a sentence. */
export function tellCounts(counts: OutcomeCounts): string {
  const run = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
  const parts = outcomes.filter((outcome) => counts[outcome] > 0).map((outcome) => `${counts[outcome]} ${outcome}`);
  const of = counts.planned > run ? ` of ${counts.planned} planned` : '';
  const reused = counts.reused > 0 ? `; ${counts.reused} from an earlier run` : '';
  return `${countOf(run, 'trial')}${of}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}${reused}`;
}

/** What a run took, in a sentence. */
export function tellSpent(spent: ReportSpent): string {
  const tokens = `${formatNumber(spent.inputTokens)} tokens in, ${formatNumber(spent.outputTokens)} out`;
  const { judge } = spent;
  const judged =
    judge === undefined ? '' : `; besides, ${countOf(judge.calls, 'call')} of the judge: ${tellCost(judge)}`;
  return `${tellCost(spent)}, ${tokens}, ${formatDuration(spent.duration)} of trials${judged}`;
}

function tellCost({ cost }: Pick<ReportSpent, 'cost'>): string {
  return cost === undefined ? formatCost(cost) : `cost ${formatCost(cost)}`;
}

/** How much better an arm is, in a sentence. */
export function tellLift({ model, arm, against, value, interval, pairs }: Lift): string {
  const points = value === undefined ? 'undefined' : `${formatDifference(value)} points ${formatDifferences(interval)}`;
  return `${visibleText(model)}: ${nameOfArm(arm)} against ${nameOfArm(against)} ${points}, ${countOf(pairs, 'case')}`;
}

/** What came of one measure, in a sentence. */
export function tellMeasure(measure: MeasureComparison): string {
  const { verdict, before, after, difference, interval, lost, won } = measure;
  // The adjusted one is what the verdict goes by.
  const probability = formatProbability(measure.adjustedPValue ?? measure.pValue);
  const numbers = `${formatShare(before)} → ${formatShare(after)}, ${formatDifference(difference)} ${formatDifferences(interval)}`;
  const enough = describeNeeded(measure, difference);
  return `${nameOfMeasure[measure.name]} of ${visibleText(measure.model)} ${nameOfArm(measure.arm)}: ${verdict.replace('_', ' ')} (${numbers}, ${lost} lost, ${won} won, p ${probability}${enough === undefined ? '' : `; ${enough}`})`;
}

/** How a case changed, in a sentence. */
export function tellChange({ suite, case: name, model, arm, before, after, why }: CaseChange): string {
  const reason = why === undefined ? '' : `: ${visibleText(why)}`;
  const share = `${formatShare(before)} → ${formatShare(after)}`;
  return `${visibleText(`${suite}/${name}`)} ${visibleText(model)} ${nameOfArm(arm)} ${share}${reason}`;
}

/** One failing cell of a case. */
export interface FailingCell {
  readonly score: CaseScore;
  readonly cell: CaseCell;
}

/** Where trials failed, those that failed most first. */
export function failingCells({ cases }: EvalReport): readonly FailingCell[] {
  return cases
    .flatMap((score) => score.cells.map((cell) => ({ score, cell })))
    .filter(({ cell }) => cell.outcomes.includes('failed'))
    .toSorted((one, other) => (one.cell.passRate.value ?? 1) - (other.cell.passRate.value ?? 1));
}

/** A failing cell, in a sentence. */
export function tellFailing({ score, cell }: FailingCell): string {
  const failed = cell.outcomes.filter((outcome) => outcome === 'failed').length;
  const first = cell.failures[0];
  const reason = first === undefined ? '' : `: ${visibleText(first.text)}`;
  const where = `${visibleText(`${score.suite}/${score.case}`)} ${visibleText(cell.model)} ${nameOfArm(cell.arm)}`;
  return `${where} ${failed} of ${cell.outcomes.length} failed${reason}`;
}
