import { SkillsError, type ApprovalRequest, type RunSummary } from '@skillpack/core';
import { approvingCommand, shellLine } from './approving-command.js';
import { roomForMore } from './more-room.js';
import type { OpenQuestion } from './open-question.js';
import { resumingCommand, showCommand } from './resume-command.js';

/** A run that waits at a question for a yes. */
export interface WaitingRun {
  readonly summary: RunSummary;
  /** Of its record. */
  readonly folder: string;
  /** Whether the project is trusted: to go on from a record, it has to be. */
  readonly trusted: boolean;
  /** The command line, without the program. */
  readonly words: readonly string[];
}

/**
 * The error for a run that stays open at a question which nobody is there to answer, with the command line that goes on
 * with it and allows exactly that: this tool, for this skill, as its files are now.
 *
 * @param question `undefined` where nobody knows any more what was asked: then the command line asks again.
 */
export function waitsForYes(
  question: OpenQuestion | undefined,
  { summary: run, folder, trusted, words }: WaitingRun,
): SkillsError {
  const { request, otherContent } = question ?? {};
  const command = yesCommand(request, { summary: run, words });
  const trust = trusted ? '' : ', and to trust the project';
  const { tool, risk, skill, digest, confinement, summary } = request ?? {};
  return new SkillsError(
    'APPROVAL_REQUIRED',
    `The run ${run.id} waits for a yes, and nobody can be asked${whatOf(request)}.${otherContent === undefined ? '' : ` ${otherContent}`}`,
    {
      hint: `Look at it with \`${showCommand(run.id, words)}\`. To be asked, resume it at a terminal; to allow it${trust}: ${shellLine(command)}`,
      data: { run: run.id, folder, tool, risk, skill, digest, confinement, summary, command },
    },
  );
}

/** The words of the command line that goes on with a run which waits for a yes, and says it. */
function yesCommand(
  request: ApprovalRequest | undefined,
  { summary, words }: Pick<WaitingRun, 'summary' | 'words'>,
): readonly string[] {
  const [program = '', ...resuming] = resumingCommand(summary.id, words);
  const more = roomForMore(summary);
  return request === undefined ? [program, ...resuming, ...more] : approvingCommand([...resuming, ...more], request);
}

/** What is told of a run that waits for a yes. Not made visible. */
export function howToAllow(question: OpenQuestion | undefined, run: Pick<WaitingRun, 'summary' | 'words'>): string {
  return `It waits for a yes. To allow that: ${shellLine(yesCommand(question?.request, run))}`;
}

function whatOf(request: ApprovalRequest | undefined): string {
  if (request === undefined) return '';
  const { action, tool, skill, summary } = request;
  const of = skill === undefined ? '' : ` of the skill ${skill.name}`;
  return action === 'run_script' ? `: ${tool}${of}: ${summary}` : `: ${summary}${of}`;
}
