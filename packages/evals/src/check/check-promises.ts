import { effectiveEvents, findBreaches, type Breach, type RunEvent } from '@skillpack/core';
import type { Expectations } from '../case/expectations.js';
import { actionLabel } from './action-label.js';
import type { CheckResult } from './check-result.js';
import { makeCheck } from './make-check.js';
import { nameStep } from './rules/name-step.js';

/** The statement that {@link checkStreaming} holds a trial to. */
export const streamingText = 'what is told piece by piece is the answer';

/** What every run has to keep, as far as a case asks for it. */
const promises = [
  { kind: 'disclosure', breach: 'disclosure', text: 'no file of a skill is read before the skill is' },
  { kind: 'approvals', breach: 'approval', text: 'nothing is done that was neither allowed nor approved' },
] as const satisfies readonly {
  readonly kind: CheckResult['kind'];
  readonly breach: Breach['kind'];
  readonly text: string;
}[];

/** Holds a record to what may be disclosed, and to what was approved; one result for each that the case asks for. */
export function checkPromises(
  expected: Pick<Expectations, 'disclosure' | 'approvals'>,
  events: readonly RunEvent[],
): readonly CheckResult[] {
  const wanted = promises.filter(({ kind }) => expected[kind]);
  if (wanted.length === 0) return [];
  const breaches = findBreaches(events);
  return wanted.map(({ kind, breach, text }) => {
    const found = breaches.filter((one) => one.kind === breach);
    const [first] = found;
    if (first === undefined) return makeCheck({ kind, text, verdict: 'passed', evidence: 'It holds.' });
    const evidence = found
      .slice(0, 5)
      .map((one) => describeBreach(one, events))
      .join('\n');
    return makeCheck({ kind, text, verdict: 'failed', evidence, seq: first.seq });
  });
}

function describeBreach({ run, seq, action, kind }: Breach, events: readonly RunEvent[]): string {
  const shown = events.find((event) => event.seq === seq);
  const began = events.find((event) => event.type === 'action_started' && event.run === run && event.id === action);
  const by =
    began?.type === 'action_started' ? ` by ${nameStep({ seq: began.seq, label: actionLabel(began.action) })}` : '';
  if (kind === 'approval') return `At #${seq} something was done${by} without a yes or a rule that allows it.`;
  const file = shown?.type === 'skill_read' ? `${shown.path} of ${shown.location}` : 'a file';
  return `At #${seq} ${file} was read${by}, and the skill had not been.`;
}

/**
 * Holds what was told of each answer, piece by piece, to what the record holds: all pieces together are the answer; of one
 * that says what is missing, nothing is left of them.
 */
export function checkStreaming(streamed: readonly string[], events: readonly RunEvent[]): CheckResult {
  const about = { kind: 'output', text: streamingText } as const;
  const answers = effectiveEvents(events).flatMap((event) =>
    event.type === 'request_answered' && event.run === events[0]?.run ? [event] : [],
  );
  for (const [at, told] of streamed.entries()) {
    const answer = answers[at];
    const wanted = answer === undefined || answer.degraded ? '' : answer.answer;
    if (told === wanted) continue;
    const evidence = `Of answer ${at + 1}, ${told.length} characters were told; the record holds ${wanted.length}${differAt(told, wanted)}.`;
    return makeCheck({ ...about, verdict: 'failed', evidence, seq: answer?.seq });
  }
  return makeCheck({ ...about, verdict: 'passed', evidence: 'It holds.' });
}

function differAt(left: string, right: string): string {
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at += 1;
  return `, and they differ from character ${at + 1} on: ${JSON.stringify(left.slice(at, at + 60))} instead of ${JSON.stringify(right.slice(at, at + 60))}`;
}
