import { SkillsError } from '@skillpack/core';
import { shellLine, withFlag } from './approving-command.js';
import { showCommand } from './resume-command.js';

/**
 * The error for a run that is to go on in a project that is not trusted. A record says what its agent was told, read and
 * did; in a project that somebody else wrote, they may have written that, too.
 *
 * @param words those of the command line, without the program.
 */
export function refuseUntrustedRecord(id: string, words: readonly string[]): SkillsError {
  const command = withFlag(words, '--trust-project');
  return new SkillsError(
    'APPROVAL_REQUIRED',
    `The run ${id} lies in a project that nobody has said is trusted; a model would go on from what its record says.`,
    {
      hint: `Look at it with \`${showCommand(id, words)}\`, then: ${shellLine(command)}`,
      data: { run: id, command },
    },
  );
}
