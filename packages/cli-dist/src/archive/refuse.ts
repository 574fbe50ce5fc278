import { SkillsError, quoted, type ArchiveRefusal, type PathProblem } from '@skillpack/core';

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

/** What is wrong with a path, as the end of a sentence about it. */
export const pathProblems: Readonly<Record<PathProblem, string>> = {
  'path-empty': 'has an empty or “.” component',
  'path-absolute': 'is an absolute path',
  'path-drive': 'begins with a drive letter',
  'path-traversal': 'leads out of the archive (“..”)',
  'path-backslash': 'contains a backslash',
  'path-control-character': 'contains a control character',
  'path-invisible-character': 'contains an invisible or direction-changing character',
  'path-not-unicode': 'is not valid Unicode',
  'path-windows-reserved': 'is the name of a device on Windows',
  'path-windows-character': 'contains a character that Windows does not allow (one of < > : " | ? *)',
  'path-git-folder': 'has a component that a file system takes for “.git”',
  'path-trailing-dot-or-space': 'has a component that ends with a dot, or begins or ends with a space',
  'path-too-long': 'is too long',
  'path-too-deep': 'lies too deep',
};

const hints: Partial<Readonly<Record<ArchiveRefusal, string>>> = {
  'path-backslash': 'Nothing of it was written. Some old Windows programs write such names; `skills pack` does not.',
  'unknown-format': 'A pack is a .tgz (a tar archive, gzipped) or a .zip.',
  'missing-skill-file': 'Every skill needs a file SKILL.md in its folder.',
  'archive-too-large': 'The limit can be raised in the configuration.',
  'unpacked-too-large': 'The limit can be raised in the configuration.',
  'file-too-large': 'The limit can be raised in the configuration.',
  'too-many-entries': 'The limit can be raised in the configuration.',
};
