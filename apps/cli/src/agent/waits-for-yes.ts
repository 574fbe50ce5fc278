import { SkillsError, type ApprovalRequest } from '@skillpack/core';
import { approvedEntries, otherContent } from './approval-entry.js';
import { approvingCommand, shellLine } from './approving-command.js';
import { resumingCommand, showCommand } from './resume-command.js';

/** A run that waits at a question for a yes. */
export interface WaitingRun {
  readonly run: string;
  /** Of its record. */
  readonly folder: string;
  /** Whether the project is trusted: to go on from a record, it has to be. */
  readonly trusted: boolean;
  /** What `--approve` says. */
  readonly approve: string | undefined;
  /** The command line, without the program. */
  readonly words: readonly string[];
}

/**
 * The error for a run that stays open at a question which nobody is there to answer, with the command line that goes on
 * with it and allows exactly that: this tool, for this skill, as its files are now.
 */
export function waitsForYes(
  request: ApprovalRequest,
  { run, folder, trusted, approve, words }: WaitingRun,
): SkillsError {
  const { tool, risk, skill, digest, confinement, summary } = request;
  const [, ...resuming] = resumingCommand(run, words);
  const command = approvingCommand(resuming, request);
  const of = skill === undefined ? '' : ` of the skill ${skill.name}`;
  const other = otherContent(approvedEntries(approve), request);
  return new SkillsError(
    'APPROVAL_REQUIRED',
    `The run ${run} waits for a yes, and nobody can be asked: ${tool}${of}: ${summary}.${other === undefined ? '' : ` ${other}`}`,
    {
      hint: `Look at it with \`${showCommand(run, words)}\`. To be asked, resume it at a terminal; to allow it${trusted ? '' : ', and to trust the project'}: ${shellLine(command)}`,
      data: { run, folder, tool, risk, skill, digest, confinement, summary, command },
    },
  );
}
