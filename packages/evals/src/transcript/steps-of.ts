import type { RunEvent } from '@skillpack/core';
import type { RunStep } from '../trial/run-step.js';

/** The steps of a run, in the order in which they began: what a report shows as its transcript. Steps of child runs are among them. */
export function stepsOf(events: readonly RunEvent[]): readonly RunStep[] {
  throw new Error(String(events.length));
}
