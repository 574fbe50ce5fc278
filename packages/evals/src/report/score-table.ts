import { visibleText } from '@skillpack/core';
import type { EvalReport, KEstimate, TaskScore, TriggerScore } from '../score/eval-report.js';
import { countOf } from './count-of.js';
import { formatInterval, formatRate, formatShare } from './format-rate.js';
import { nameOfArm } from './name-of-arm.js';

/** A table as texts, cleaned: a head and its rows. */
export interface TextTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** How well skills were chosen. */
export function triggerTable({ triggers }: EvalReport): TextTable {
  return {
    head: ['model', 'arm', 'precision', 'recall', 'specificity', 'F1', 'not scored'],
    rows: triggers.map((score) => [
      visibleText(score.model),
      nameOfArm(score.arm),
      formatRate(score.precision),
      formatRate(score.recall),
      formatRate(score.specificity),
      tellF1(score),
      `${score.inconclusive} inconclusive, ${countOf(score.errors, 'error')}`,
    ]),
  };
}

function tellF1({ f1 }: TriggerScore): string {
  return f1 === undefined ? 'undefined' : `${formatShare(f1.value)} ${formatInterval(f1.interval)}`.trimEnd();
}

/** How well tasks were done. */
export function taskTable({ tasks }: EvalReport): TextTable {
  return {
    head: ['model', 'arm', 'passed', 'checks', 'pass@k', 'pass^k'],
    rows: tasks.map((score) => [
      visibleText(score.model),
      nameOfArm(score.arm),
      formatRate(score.passRate),
      formatRate(score.checkRate),
      tellEstimates(score, 'passAtK'),
      tellEstimates(score, 'passHatK'),
    ]),
  };
}

/** Estimates that are shown from the first k on. */
const firstEstimates = 5;

function tellEstimates(score: TaskScore, name: 'passAtK' | 'passHatK'): string {
  const estimates: readonly KEstimate[] = score[name];
  const told = estimates.map(({ k, value }) => `${k}: ${formatShare(value)}`);
  const last = told.at(-1);
  if (last === undefined) return 'undefined';
  if (told.length <= firstEstimates + 1) return told.join(', ');
  return `${told.slice(0, firstEstimates).join(', ')}, … ${last}`;
}
