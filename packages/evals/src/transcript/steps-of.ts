import type { RunEvent } from '@skillpack/core';
import type { RunStep } from '../trial/run-step.js';
import { TranscriptReader } from './transcript-reader.js';

/**
 * The steps of a run, in the order in which they began: what a report shows as its transcript. Steps of child runs are
 * among them, with the skill that is worked on before their labels; so is what a run left out that went on later.
 */
export function stepsOf(events: readonly RunEvent[]): readonly RunStep[] {
  const reader = new TranscriptReader(events);
  for (const event of events) reader.take(event);
  return reader.end();
}
