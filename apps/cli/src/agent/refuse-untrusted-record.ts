import { SkillsError } from '@skillpack/core';

/**
 * The error for a run that is to go on in a project that is not trusted. A record says what its agent was told, read and
 * did; in a project that somebody else wrote, they may have written that, too.
 */
export function refuseUntrustedRecord(id: string): SkillsError {
  return new SkillsError(
    'APPROVAL_REQUIRED',
    `The run ${id} lies in a project that nobody has said is trusted; a model would go on from what its record says.`,
    {
      hint: `Look at it with \`skills runs show ${id}\`, then run this again with --trust-project.`,
      data: { run: id },
    },
  );
}
