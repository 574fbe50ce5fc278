import type { MeasureComparison } from '../gate/eval-comparison.js';

/** What a measure is called in a report. */
export const nameOfMeasure: Readonly<Record<MeasureComparison['name'], string>> = {
  pass_rate: 'pass rate of all cases',
  recall: 'recall',
  specificity: 'specificity',
};
