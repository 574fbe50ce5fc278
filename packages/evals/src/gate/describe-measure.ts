import { visibleText } from '@skillpack/core';
import { percent } from '../statistics/percent.js';
import { describeNeeded } from './describe-needed.js';
import type { MeasureComparison } from './eval-comparison.js';

const names: Readonly<Record<MeasureComparison['name'], string>> = {
  pass_rate: 'The pass rate of all cases',
  recall: 'Recall',
  specificity: 'Specificity',
};

/** What a measure says, in a sentence with its numbers. */
export function describeMeasure(measure: MeasureComparison, margin: number): string {
  const { name, model, arm, pairs, before, after, interval, pValue, adjustedPValue = pValue } = measure;
  const where = describePlace({ model, arm });
  const over = `over ${counted(pairs, 'case')}`;
  const range = interval === undefined ? '' : `interval ${points(interval.low)} to ${points(interval.high)} points, `;
  const numbers = `(${points(measure.difference)} points, ${range}p = ${probability(adjustedPValue)})`;
  const moved = `${names[name]} ${where} ${wentFrom(before, after)} ${over} ${numbers}`;
  if (measure.unchanged === true)
    return `${names[name]} ${where} ${wentFrom(before, after)} ${over}, each as it was: it answers the same each time.`;
  switch (measure.verdict) {
    case 'worse':
      return `${moved}: worse${measure.regressions === undefined ? '' : ', and no chance is in it'}.`;
    case 'better':
      return `${moved}: ${measure.verdict}.`;
    case 'no_change':
      return `${moved}: less than the ${(margin * 100).toFixed(1)} points that matter.`;
    case 'underpowered': {
      const enough = describeNeeded(measure, measure.difference);
      return `${moved}: too few cases to tell${enough === undefined ? '' : `; ${enough}`}.`;
    }
  }
}

const mostNames = 5;

/** `with anthropic:claude in the arm old_skill`; the arm with the skills as they are is not named. */
export function describePlace({ model, arm }: Pick<MeasureComparison, 'model' | 'arm'>): string {
  return `with ${visibleText(model)}${arm === 'with_skill' ? '' : ` in the arm ${arm}`}`;
}

/** The first names, cleaned, and how many more there are. */
export function namedFew(all: readonly string[]): string {
  const more = all.length - mostNames;
  return `${all.slice(0, mostNames).map(visibleText).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A number with what it counts: `1 case`, `2 cases`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function wentFrom(before: number, after: number): string {
  if (before === after) return `is ${percent(after)} as before`;
  return `${after < before ? 'fell' : 'rose'} from ${percent(before)} to ${percent(after)}`;
}

function points(difference: number): string {
  const size = (Math.abs(difference) * 100).toFixed(1);
  return size === '0.0' ? '±0.0' : `${difference < 0 ? '−' : '+'}${size}`;
}

/** A probability: `0.031`, `below 0.0001`. */
export function probability(value: number): string {
  return value < 0.0001 ? 'below 0.0001' : value.toFixed(value < 0.01 ? 4 : 3);
}
