/** What came of a check of an output, before it is negated. `undefined`: nobody can say. */
export interface OutputVerdict {
  readonly holds: boolean | undefined;
  readonly evidence: string;
}

/** A check that cannot be made, and why. */
export function unknown(evidence: string): OutputVerdict {
  return { holds: undefined, evidence };
}
