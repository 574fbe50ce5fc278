import type { Activation } from './activation.js';
import { effectiveEvents } from './fold-events.js';
import type { RunEvent } from './run-event.js';

/** When a skill was activated, and by which run. */
export interface ActivationRecord extends Activation {
  /** Of the event. */
  readonly seq: number;
  /** The run or child run that read it. */
  readonly run: string;
  readonly at: string;
}

/** Every activation of a record in its order, child runs' included; a skill that was read twice stands twice. */
export function activationHistory(events: readonly RunEvent[]): readonly ActivationRecord[] {
  return effectiveEvents(events).flatMap((event) =>
    event.type === 'skill_activated' ? [{ ...event.activation, seq: event.seq, run: event.run, at: event.at }] : [],
  );
}
