import type { RunEvent } from '@skillpack/core';
import type { ExpectedSkills } from '../case/expectations.js';
import type { CheckResult } from './check-result.js';

/** Holds the choice of skills to what is expected of it: one result for each thing that is. A skill that was there from the beginning counts as used. */
export function checkSkills(expected: ExpectedSkills, events: readonly RunEvent[]): readonly CheckResult[] {
  throw new Error(`${String(expected)} ${events.length}`);
}
