import type { RecordedError, RunEvent } from './run-event.js';

/**
 * What failed last in a request, where nothing has gone well since: a call of the model, an answer that was no decision,
 * or an action.
 *
 * @param before what it was before the event.
 */
export function lastFailure(before: RecordedError | undefined, event: RunEvent): RecordedError | undefined {
  switch (event.type) {
    case 'model_failed':
    case 'decision_rejected':
      return event.error;
    case 'observation_recorded':
      return event.ok ? undefined : event.error;
    case 'request_received':
      return undefined;
    default:
      return before;
  }
}
