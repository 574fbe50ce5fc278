import { chainStart, sealEvent, type RunEvent, type RunEventBody } from '../../src/index.js';
import { sha256 } from '../sha256.js';

/** A record of `run` with another event in the place of one, and every hash after it made anew. */
export function resealed(events: readonly RunEvent[], at: number, change: object): readonly RunEvent[] {
  const next: RunEvent[] = [];
  for (const [index, event] of events.entries()) {
    const { seq, run, at: time, prev: _, hash: __, ...body } = event;
    const { run: otherRun = run, ...changed } = (index === at ? { ...body, ...change } : body) as RunEventBody & {
      readonly run?: string;
    };
    const prev = next.at(-1)?.hash ?? chainStart('run', sha256);
    next.push(sealEvent(changed, { seq, run: otherRun, at: time, prev }, sha256));
  }
  return next;
}
