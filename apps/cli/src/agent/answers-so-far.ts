import { effectiveEvents, type RunEvent, type RunEventType } from '@skillpack/core';

const answers: ReadonlySet<RunEventType> = new Set(['model_answered', 'model_failed']);
const complete: ReadonlySet<RunEventType> = new Set(['observation_recorded', 'turn_finished', 'request_answered']);

/** How often the model of a run was called whose answers still count when the run goes on. */
export function answersSoFar(events: readonly RunEvent[]): number {
  const effective = effectiveEvents(events);
  const end = effective.findLastIndex(({ run, type }) => run === events[0]?.run && complete.has(type));
  return effective.slice(0, end + 1).filter(({ type }) => answers.has(type)).length;
}
