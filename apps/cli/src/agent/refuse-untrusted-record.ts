import { SkillsError } from '@skillpack/core';

/**
 * The error for a run that is to go on in a project that is not trusted. A record says what its agent was told and what
 * was approved; in a project that somebody else wrote, they may have written that, too.
 */
export function refuseUntrustedRecord(id: string): SkillsError {
  return new SkillsError(
    'APPROVAL_REQUIRED',
    `The run ${id} lies in a project that nobody has said is trusted; what was approved in it would go on.`,
    {
      hint: `Look at it with \`skills runs show ${id}\`, then run this again with --trust-project.`,
      data: { run: id },
    },
  );
}
