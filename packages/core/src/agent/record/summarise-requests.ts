import type { StopReason } from '../budget.js';
import { effectiveEvents } from '../fold-events.js';
import type { RunEvent } from '../run-event.js';

/** A request, and what came of it. */
export interface RequestSummary {
  readonly text: string;
  /** A skill that the person named. */
  readonly skill: string | undefined;
  /** `undefined` while it is worked on. */
  readonly answer: { readonly text: string; readonly stop: StopReason; readonly degraded: boolean } | undefined;
}

/** The requests of a run in their order, without those of child runs. */
export function listRequests(events: readonly RunEvent[], run: string): readonly RequestSummary[] {
  const requests: RequestSummary[] = [];
  for (const event of effectiveEvents(events)) {
    if (event.run !== run) continue;
    if (event.type === 'request_received') {
      requests.push({ text: event.request.text, skill: event.request.skill, answer: undefined });
    }
    const open = requests.at(-1);
    if (event.type === 'request_answered' && open !== undefined) {
      const { answer: text, stop, degraded } = event;
      requests.splice(-1, 1, { ...open, answer: { text, stop, degraded } });
    }
  }
  return requests;
}
