import { SkillsError } from '@skillpack/core';

/** What an option has to be, and what it is called. */
export interface ExpectedNumber {
  readonly name: string;
  readonly least: number;
  readonly most: number;
}

/** An option, which is a whole number from `least` to `most`. @throws `USAGE`. */
export function expectWholeNumber(value: number, { name, least, most }: ExpectedNumber): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new SkillsError('USAGE', `${name} is ${String(value)}; it has to be a whole number from ${least} to ${most}.`);
}
