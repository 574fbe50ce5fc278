import type { StopReason } from '@skillpack/core';
import { entryFor } from '../agent/approval-entry.js';
import { shellLine } from '../agent/approving-command.js';
import type { Question } from '../agent/run-steps.js';
import { oneLine } from '../render/describe-step.js';

const mostTold = 20;

/**
 * What is told of earlier requests of a chat that ended for want of a yes: a run goes on with its newest one alone. A line
 * each, not made visible.
 *
 * @param stop why the newest request ended.
 */
export function missedYes(questions: readonly Question[], stop: StopReason | undefined): readonly string[] {
  const unanswered = questions.filter(
    ({ decision }) => decision?.kind === 'unavailable' && decision.code === undefined,
  );
  const missed = stop === 'approval_required' ? unanswered.slice(0, -1) : unanswered;
  const lines = missed.map(({ summary, asked }) => {
    const of = asked.skill === undefined ? '' : ` of ${oneLine(asked.skill.name)}`;
    const approve = shellLine(['--approve', entryFor(asked)]);
    return `Not done for want of a yes: ${oneLine(summary)}${of}. Ask for it again, with ${approve}.`;
  });
  const told = [...new Set(lines)];
  const more = told.length - mostTold;
  return [...told.slice(0, mostTold), ...(more > 0 ? [`${more} more were not done for want of a yes.`] : [])];
}
