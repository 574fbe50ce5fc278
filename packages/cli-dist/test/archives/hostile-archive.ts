import type { ArchiveLimits, ArchiveRefusal } from '@skillpack/core';

/** An archive with one trick in it. */
export interface HostileArchive {
  /** In words, unique in its list. */
  readonly trick: string;
  readonly reason: ArchiveRefusal;
  readonly bytes: () => Buffer;
  /** For tricks that would be slow at the real limits. */
  readonly limits?: Partial<ArchiveLimits>;
}

/** The text of an honest SKILL.md. */
export const skillText = '---\nname: pdf\ndescription: Reads PDF files. Use when there is one.\n---\n\nRead it.\n';

/** A name that no pack may hold, and why. */
export interface HostileName {
  readonly trick: string;
  readonly reason: ArchiveRefusal;
  readonly name: string;
}

/** Names that are refused in every format. */
export const hostileNames: readonly HostileName[] = [
  { trick: 'climbs out', reason: 'path-traversal', name: '../evil' },
  { trick: 'climbs out from within', reason: 'path-traversal', name: 'pdf/../../evil' },
  { trick: 'climbs out behind ./', reason: 'path-traversal', name: './../evil' },
  { trick: 'climbs within', reason: 'path-traversal', name: 'pdf/../pdf/evil' },
  { trick: 'climbs out by backslashes', reason: 'path-traversal', name: 'pdf\\..\\..\\evil' },
  { trick: 'absolute', reason: 'path-absolute', name: '/etc/evil' },
  { trick: 'two slashes in front', reason: 'path-absolute', name: '//host/share/evil' },
  { trick: 'absolute behind ./', reason: 'path-absolute', name: './/etc/evil' },
  { trick: 'UNC', reason: 'path-absolute', name: '\\\\host\\share\\evil' },
  { trick: 'device namespace', reason: 'path-absolute', name: '\\\\?\\C:\\evil' },
  { trick: 'backslash in front', reason: 'path-absolute', name: '\\evil' },
  { trick: 'drive', reason: 'path-drive', name: 'C:/evil' },
  { trick: 'drive, relative', reason: 'path-drive', name: 'c:evil' },
  { trick: 'backslash', reason: 'path-backslash', name: 'pdf\\evil' },
  { trick: 'line break', reason: 'path-control-character', name: 'pdf/ev\nil' },
  { trick: 'escape', reason: 'path-control-character', name: 'pdf/\u001B[2Jevil' },
  { trick: 'C1 control', reason: 'path-control-character', name: 'pdf/\u009Bevil' },
  { trick: 'DEL', reason: 'path-control-character', name: 'pdf/evil\u007F' },
  { trick: 'right-to-left override', reason: 'path-invisible-character', name: 'pdf/\u202Egnp.exe' },
  { trick: 'isolate', reason: 'path-invisible-character', name: 'pdf/\u2066evil' },
  { trick: 'zero-width space', reason: 'path-invisible-character', name: 'pdf/ev\u200Bil' },
  { trick: 'zero-width joiner between letters', reason: 'path-invisible-character', name: 'pdf/ev\u200Dil' },
  { trick: 'byte order mark', reason: 'path-invisible-character', name: 'pdf/\uFEFFevil' },
  { trick: 'tag characters', reason: 'path-invisible-character', name: 'pdf/evil\u{E0041}' },
  { trick: 'soft hyphen', reason: 'path-invisible-character', name: 'pdf/ev\u00ADil' },
  { trick: 'CON', reason: 'path-windows-reserved', name: 'pdf/CON' },
  { trick: 'nul with an extension', reason: 'path-windows-reserved', name: 'pdf/nul.txt' },
  { trick: 'a folder called aux', reason: 'path-windows-reserved', name: 'aux/evil' },
  { trick: 'COM with a superscript', reason: 'path-windows-reserved', name: 'pdf/com¹' },
  { trick: '.git', reason: 'path-git-folder', name: 'pdf/.git/hooks/pre-commit' },
  { trick: '.GIT', reason: 'path-git-folder', name: '.GIT/config' },
  { trick: 'git~1', reason: 'path-git-folder', name: 'pdf/git~1/config' },
  { trick: 'alternate data stream', reason: 'path-windows-character', name: 'pdf/SKILL.md:evil' },
  { trick: 'wildcard', reason: 'path-windows-character', name: 'pdf/*' },
  { trick: 'trailing dot', reason: 'path-trailing-dot-or-space', name: 'pdf/evil.' },
  { trick: 'trailing space', reason: 'path-trailing-dot-or-space', name: 'pdf/evil ' },
  { trick: 'a folder with a trailing dot', reason: 'path-trailing-dot-or-space', name: 'pdf./evil' },
  { trick: 'leading space', reason: 'path-trailing-dot-or-space', name: ' pdf/evil' },
  { trick: 'empty component', reason: 'path-empty', name: 'pdf//evil' },
  { trick: 'dot component', reason: 'path-empty', name: 'pdf/./evil' },
  { trick: 'replacement character', reason: 'path-not-unicode', name: 'pdf/evil\uFFFD' },
  { trick: 'component too long', reason: 'path-too-long', name: `pdf/${'x'.repeat(256)}` },
  { trick: 'component too long in bytes', reason: 'path-too-long', name: `pdf/${'ä'.repeat(128)}` },
  { trick: 'path too long', reason: 'path-too-long', name: `pdf/${'x'.repeat(200)}`.repeat(6) },
  { trick: 'too deep', reason: 'path-too-deep', name: `${'d/'.repeat(32)}evil` },
  { trick: 'the same file', reason: 'duplicate-path', name: 'pdf/SKILL.md' },
  { trick: 'the same file behind ./', reason: 'duplicate-path', name: './pdf/SKILL.md' },
  { trick: 'other case', reason: 'case-collision', name: 'pdf/skill.md' },
  { trick: 'folder in other case', reason: 'case-collision', name: 'PDF/other' },
  { trick: 'full-width letters', reason: 'case-collision', name: 'pdf/ＳＫＩＬＬ.md' },
  { trick: 'dotless i', reason: 'case-collision', name: 'pdf/SKıLL.md' },
  { trick: 'file as folder', reason: 'file-as-folder', name: 'pdf/SKILL.md/evil' },
  { trick: 'folder as file', reason: 'file-as-folder', name: 'pdf' },
];
