import type { RunEvent } from '@skillpack/core';

/**
 * The events of a record that do not count any more, by `seq`, each with the `seq` of the `run_resumed` that left it out:
 * what `effectiveEvents` of core leaves out, and since when.
 */
export function lostEvents(events: readonly RunEvent[]): ReadonlyMap<number, number> {
  const run = events[0]?.run;
  const lost = new Map<number, number>();
  const counting: number[] = [];
  for (const event of events) {
    if (event.type === 'run_resumed' && event.run === run) {
      for (let last = counting.at(-1); last !== undefined && last > event.after; last = counting.at(-1)) {
        lost.set(last, event.seq);
        counting.pop();
      }
    }
    counting.push(event.seq);
  }
  return lost;
}
