import { SkillsError, summariseRun, type RecordedError, type RunEvent, type RunSummary } from '@skillpack/core';
import { answer, type Answer } from '../frame/answer.js';
import type { Reporter } from '../frame/reporter.js';
import { describeUsage } from '../render/describe-usage.js';
import { adviceOnModel } from './advice-on-model.js';
import type { ModelRecording } from './agent-model.js';
import { shellLine } from './approving-command.js';
import { moreRoom } from './more-room.js';
import type { OpenAgent } from './open-agent.js';
import { howToAnswer, resumingCommand, showCommand, type ResumePlace } from './resume-command.js';
import { waitsForYes } from './waits-for-yes.js';

/** Where a run was, and how it was called. */
export interface EndedRun {
  readonly summary: RunSummary;
  readonly agent: Pick<OpenAgent, 'record' | 'recording' | 'trusted' | 'trustedForGood' | 'openQuestion'>;
  /** The command line, without the program. */
  readonly words: readonly string[];
  /** Aborted where the person left instead of answering a question. */
  readonly signal: AbortSignal;
  /** Whether its answer stands on the terminal already. @default false */
  readonly shown?: boolean | undefined;
}

/**
 * What a command says of a run that is over: its last answer, and on stderr what it took, where it is recorded and why it
 * stopped. A recording of its model is kept where it came to an answer.
 *
 * @throws what kept its model from being asked, where that ended it; `IO_ERROR` for a recording that cannot be kept;
 * `APPROVAL_REQUIRED` where it waits for a yes and nobody could be asked, with the command line that gives it;
 * `INTERRUPTED` where it was cancelled, or the person left.
 */
export async function endOfRun(
  { summary, agent, words, signal, shown }: EndedRun,
  reporter: Reporter,
): Promise<Answer> {
  const { folder } = agent.record;
  const last = summary.requests.at(-1)?.answer;
  const place = { words, trusted: agent.trustedForGood };
  const finished = last === undefined || last.stop === 'final_answer';
  const usage = summary.model.startsWith('scripted:') ? undefined : describeUsage(summary.usage);
  if (usage !== undefined) reporter.step(wasPlayed(summary) ? `${usage}, when it was recorded` : usage);
  reporter.step(`recorded in ${folder}`);
  await endRecording(agent.recording, { finished, answer: showCommand(summary.id, words) }, reporter);
  switch (last?.stop) {
    case 'approval_required':
      throw waitsForYes(await agent.openQuestion(), { summary, folder, trusted: agent.trusted, place });
    case 'cancelled':
      throw new SkillsError('INTERRUPTED', `The run ${summary.id} was cancelled.`, {
        hint: `What it did: \`${showCommand(summary.id, words)}\`; to go on: ${goOn(summary, place)}`,
        data: { run: summary.id, folder },
      });
    case 'model_failed':
      if (last.error !== undefined) throw modelFailed(last.error, { summary, folder, place });
      break;
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
  const render = ({ requests }: RunSummary): string =>
    shown === true ? '' : (requests.at(-1)?.answer?.text ?? 'Nothing was left to answer.');
  return answer(summary, render, {
    no: !finished,
    wanted: true,
    keepLines: ['text'],
  });
}

/** Whether what a run took was taken before, by the run that was recorded. */
export function wasPlayed({ model }: Pick<RunSummary, 'model'>): boolean {
  return model.startsWith('recorded:');
}

/** A run that came to no answer would be played with none. */
async function endRecording(
  recording: OpenAgent['recording'],
  { finished, answer: whereItIs }: { readonly finished: boolean; readonly answer: string },
  reporter: Pick<Reporter, 'step' | 'warn'>,
): Promise<void> {
  if (recording === undefined) return;
  if (finished) {
    await closeRecording(recording, whereItIs);
    reporter.step(`model calls kept in ${recording.path}`);
    return;
  }
  await recording.discard();
  reporter.warn(`The model calls are not kept, since there is no answer: ${recording.path} is as it was.`);
}

/** @param whereItIs the command line that shows the answer, which is recorded all the same. */
async function closeRecording(recording: ModelRecording, whereItIs: string): Promise<void> {
  try {
    await recording.close();
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    const { code, message, data } = error;
    const hint = `The run came to an answer, which was not lost: \`${whereItIs}\``;
    throw new SkillsError(code, message, { hint, cause: error, data });
  }
}

interface FailedRun {
  readonly summary: RunSummary;
  readonly folder: string;
  readonly place: ResumePlace;
}

/** What kept the model from being asked, and how the run goes on once that is mended. */
function modelFailed(error: RecordedError, { summary, folder, place }: FailedRun): SkillsError {
  const { code, message } = error;
  const hint = adviceOnModel(error, summary.model);
  // A recording would say the same again.
  const then = code === 'RECORDING_NOT_FOUND' ? '' : howToGoOn(summary, place);
  return new SkillsError(code, message, {
    hint: [hint ?? '', then].filter((part) => part !== '').join(' '),
    data: { run: summary.id, folder },
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
