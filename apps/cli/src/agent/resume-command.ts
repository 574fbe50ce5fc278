import type { BudgetLimits, RunStatus, RunSummary, StopReason } from '@skillpack/core';
import { isChosenByRecord } from '../models/choose-model.js';
import { shellLine } from './approving-command.js';
import { keptOptions, placeOptions } from './kept-options.js';
import { moreRoom } from './more-room.js';

/** What of a run says how it goes on. */
export interface UnfinishedRun {
  readonly id: string;
  readonly status: RunStatus;
  /** Why its newest request ended. @default it is worked on */
  readonly stop: StopReason | null;
  /** What one request may take. */
  readonly limits: Partial<BudgetLimits>;
  /** The tool that it needs a yes for, where its newest request ended with that. */
  readonly waitsFor: string | null;
  /** The model that it was begun with. */
  readonly model: string;
}

/** The tool that a run needs a yes for; `null` where it waits for none. */
export function waitsForTool({ requests, approvals }: Pick<RunSummary, 'requests' | 'approvals'>): string | null {
  if (requests.at(-1)?.answer?.stop !== 'approval_required') return null;
  return approvals.findLast(({ decision }) => decision?.kind === 'unavailable')?.tool ?? null;
}

/** Where a run goes on. */
export interface ResumePlace {
  /** Those of the command line that told of it, without the program: its folders are those of the run. */
  readonly words: readonly string[];
  /** Whether the person said, for good, that the project is trusted: else the command has to. */
  readonly trusted: boolean;
}

/** Whether it goes on with an answer of the person. */
export function waitsForAnswer({ status, stop }: UnfinishedRun): boolean {
  return status === 'open' && stop === 'question';
}

/** The command line that goes on with a run which nobody works on. Not made visible. */
export function resumeCommand(run: UnfinishedRun, { words, trusted }: ResumePlace): string {
  const answer = waitsForAnswer(run) ? ['your answer'] : [];
  const trust = trusted ? [] : ['--trust-project'];
  const more = moreRoom(run.stop, run.limits);
  // What a command line had turned on, another one does not know.
  const allow = run.waitsFor === null || run.waitsFor === 'run_script' ? [] : ['--allow', run.waitsFor];
  const model = isChosenByRecord(run.model) ? [] : ['--model', run.model];
  return shellLine([
    'skills',
    'runs',
    'resume',
    run.id,
    ...answer,
    ...trust,
    ...model,
    ...more,
    ...allow,
    ...placeOptions(words),
  ]);
}

/**
 * The words of a command line that goes on with a run, from the folder in which the other one was typed: with what that
 * approved, and the model that it named. A record that a model goes on from needs the project to be trusted.
 *
 * @param answer what is said to the question that the run waits with. @default it waits with none
 */
export function resumingCommand(
  id: string,
  { words, trusted }: ResumePlace,
  answer: readonly string[] = [],
): readonly string[] {
  const trust = trusted ? [] : ['--trust-project'];
  return ['skills', 'runs', 'resume', id, ...answer, ...trust, ...keptOptions(words)];
}

/** What is told of a run that waits for an answer of the person. Not made visible. */
export function howToAnswer(id: string, place: ResumePlace): string {
  return `The agent asks. To answer: ${shellLine(resumingCommand(id, place, ['your answer']))}`;
}

/** The command line that shows a run. Not made visible. */
export function showCommand(id: string, words: readonly string[]): string {
  return shellLine(['skills', 'runs', 'show', id, ...placeOptions(words)]);
}
