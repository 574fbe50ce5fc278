import { SkillsError, type ArchiveRefusal } from '@skillpack/core';

/** The error for an archive that is not shown: `what` completes “The archive is refused: …”. */
export function refuseArchive(
  reason: ArchiveRefusal,
  what: string,
  data: Readonly<Record<string, unknown>> = {},
): SkillsError {
  return new SkillsError('ARCHIVE_REFUSED', `The archive is refused: ${what}.`, {
    hint: 'Nothing of it is used. Tell whoever offers it.',
    data: { reason, ...data },
  });
}
