import { effectiveEvents } from '../fold-events.js';
import { lastFailure } from '../last-failure.js';
import type { RecordedError, RunEvent } from '../run-event.js';
import type { RunState } from '../run-state.js';

/** A request, and what came of it. */
export interface RequestSummary {
  readonly text: string;
  /** A skill that the person named. */
  readonly skill: string | undefined;
  /** `undefined` while it is worked on. */
  readonly answer: RunState['answer'];
}

/** The requests of a run in their order, without those of child runs. */
export function listRequests(events: readonly RunEvent[], run: string): readonly RequestSummary[] {
  const requests: RequestSummary[] = [];
  let failure: RecordedError | undefined;
  for (const event of effectiveEvents(events)) {
    if (event.run !== run) continue;
    failure = lastFailure(failure, event);
    if (event.type === 'request_received') {
      requests.push({ text: event.request.text, skill: event.request.skill, answer: undefined });
    }
    const open = requests.at(-1);
    // One that was given up, and goes on.
    if (event.type === 'turn_started' && open?.answer !== undefined) {
      requests.splice(-1, 1, { ...open, answer: undefined });
    }
    if (event.type === 'request_answered' && open !== undefined) {
      const { answer: text, stop, degraded } = event;
      requests.splice(-1, 1, { ...open, answer: { text, stop, degraded, error: degraded ? failure : undefined } });
    }
  }
  return requests;
}
