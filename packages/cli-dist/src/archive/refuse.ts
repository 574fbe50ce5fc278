import { SkillsError, pathProblems, quoted, type ArchiveRefusal, type PathProblem } from '@skillpack/core';

/** The error for an archive that must not be used: `what` completes “The archive is refused: …”. */
export function refuse(
  reason: ArchiveRefusal,
  what: string,
  data: Readonly<Record<string, unknown>> = {},
): SkillsError {
  return new SkillsError('ARCHIVE_REFUSED', `The archive is refused: ${what}.`, {
    hint:
      hints[reason] ?? 'Nothing of it was written. Fetch it again; if that does not help, tell whoever published it.',
    data: { reason, ...data },
  });
}

/** The error for a path that no pack may hold. */
export function refusePath(problem: PathProblem, path: string): SkillsError {
  return refuse(problem, `${quoted(path)} ${pathProblems[problem]}`, { path });
}

const hints: Partial<Readonly<Record<ArchiveRefusal, string>>> = {
  'path-backslash': 'Nothing of it was written. Some old Windows programs write such names; `skills pack` does not.',
  'unknown-format': 'A pack is a .tgz (a tar archive, gzipped) or a .zip.',
  'missing-skill-file': 'Every skill needs a file SKILL.md in its folder.',
  'archive-too-large': 'The limit can be raised in the configuration.',
  'unpacked-too-large': 'The limit can be raised in the configuration.',
  'file-too-large': 'The limit can be raised in the configuration.',
  'too-many-entries': 'The limit can be raised in the configuration.',
};
