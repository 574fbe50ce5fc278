import { SkillsError, type ApprovalRequest } from '@skillpack/core';
import { approvingCommand, shellLine } from './approving-command.js';
import { resumingCommand, showCommand } from './resume-command.js';

/** A run that waits at a question for a yes. */
export interface WaitingRun {
  readonly run: string;
  /** Of its record. */
  readonly folder: string;
  /** The command line, without the program. */
  readonly words: readonly string[];
}

/** The error for a run that stays open at a question which nobody is there to answer, with the command that allows it. */
export function waitsForYes({ tool, risk, summary }: ApprovalRequest, { run, folder, words }: WaitingRun): SkillsError {
  const [, ...resuming] = resumingCommand(run, words);
  const command = approvingCommand(resuming, tool);
  return new SkillsError('APPROVAL_REQUIRED', `The run ${run} waits for a yes, and nobody can be asked: ${summary}.`, {
    hint: `Look at it with \`${showCommand(run, words)}\`. To be asked, resume it at a terminal; to allow it: ${shellLine(command)}`,
    data: { run, folder, tool, risk, summary, command },
  });
}
