import { initialState } from './initial-state.js';
import { reduceWith } from './reduce-event.js';
import type { RunEvent } from './run-event.js';
import type { RunState } from './run-state.js';
import { ownLists } from './state-lists.js';

/**
 * The state that events come to. Where a run was resumed, what lies between the event it went back to and the
 * `run_resumed` counts for nothing.
 *
 * @param run whose state; the run of the first event where none is given. A child run's state is folded from the same
 * events.
 */
export function foldEvents(events: readonly RunEvent[], run: string = events[0]?.run ?? ''): RunState {
  const lists = ownLists();
  let state = initialState(run);
  for (const event of effectiveEvents(events)) state = reduceWith(state, event, lists);
  return state;
}

/** The events that count: those that no `run_resumed` of the first event's run has left out. */
export function effectiveEvents(events: readonly RunEvent[]): readonly RunEvent[] {
  const run = events[0]?.run;
  const counting: RunEvent[] = [];
  for (const event of events) {
    if (event.type === 'run_resumed' && event.run === run) {
      while ((counting.at(-1)?.seq ?? 0) > event.after) counting.pop();
    }
    counting.push(event);
  }
  return counting;
}
