import { SkillsError, summariseRun, type RunEvent, type RunSummary } from '@skillpack/core';
import { answer, type Answer } from '../frame/answer.js';
import type { Reporter } from '../frame/reporter.js';
import { shellLine } from './approving-command.js';
import { moreRoom } from './more-room.js';
import type { OpenAgent } from './open-agent.js';
import { howToAnswer, resumingCommand, showCommand, type ResumePlace } from './resume-command.js';
import { waitsForYes } from './waits-for-yes.js';

/** Where a run was, and how it was called. */
export interface EndedRun {
  readonly summary: RunSummary;
  readonly agent: Pick<OpenAgent, 'record' | 'trusted' | 'trustedForGood' | 'openQuestion'>;
  /** The command line, without the program. */
  readonly words: readonly string[];
  /** Aborted where the person left instead of answering a question. */
  readonly signal: AbortSignal;
}

/**
 * What a command says of a run that is over: its last answer, and on stderr where it is recorded and why it stopped.
 *
 * @throws `APPROVAL_REQUIRED` where it waits for a yes and nobody could be asked, with the command line that gives it;
 * `INTERRUPTED` where it was cancelled, or the person left.
 */
export async function endOfRun({ summary, agent, words, signal }: EndedRun, reporter: Reporter): Promise<Answer> {
  const { folder } = agent.record;
  const last = summary.requests.at(-1)?.answer;
  const place = { words, trusted: agent.trustedForGood };
  reporter.step(`recorded in ${folder}`);
  switch (last?.stop) {
    case 'approval_required':
      throw waitsForYes(await agent.openQuestion(), { summary, folder, trusted: agent.trusted, place });
    case 'cancelled':
      throw new SkillsError('INTERRUPTED', `The run ${summary.id} was cancelled.`, {
        hint: `What it did: \`${showCommand(summary.id, words)}\`; to go on: ${goOn(summary, place)}`,
        data: { run: summary.id, folder },
      });
    case 'question':
      reporter.step(howToAnswer(summary.id, place));
      signal.throwIfAborted();
      break;
    case 'final_answer':
    case undefined:
      break;
    default:
      reporter.warn(`The agent did not finish: ${last?.stop}.`);
      reporter.step(howToGoOn(summary, place));
  }
  const finished = last === undefined || last.stop === 'final_answer';
  return answer(summary, ({ requests }) => requests.at(-1)?.answer?.text ?? 'Nothing was left to answer.', {
    no: !finished,
    wanted: true,
    keepLines: ['text'],
  });
}

/** Whether nothing is left to do of a run: its last request has its answer. */
export function answeredBefore(events: readonly RunEvent[]): boolean {
  return summariseRun(events).requests.at(-1)?.answer?.stop === 'final_answer';
}

/** What is told of a run whose last request was given up. Not made visible. */
export function howToGoOn(summary: RunSummary, place: ResumePlace): string {
  return `To let it go on: ${goOn(summary, place)}`;
}

/** The command line that goes on with a request that was given up; where it ended at a limit, with more of that. */
function goOn({ id, requests, limits }: RunSummary, place: ResumePlace): string {
  return shellLine([...resumingCommand(id, place), ...moreRoom(requests.at(-1)?.answer?.stop, limits)]);
}
