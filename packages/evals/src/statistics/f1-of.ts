/** What is counted of choices. */
export interface ChoiceCounts {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
}

/**
 * The harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN). `undefined` where one of the two is: nothing was
 * chosen, or nothing was to be.
 */
export function f1Of({ truePositives, falsePositives, falseNegatives }: ChoiceCounts): number | undefined {
  if (truePositives + falsePositives === 0 || truePositives + falseNegatives === 0) return undefined;
  return (2 * truePositives) / (2 * truePositives + falsePositives + falseNegatives);
}
