import type { PathProblem } from './pack-path.js';

/** What is wrong with a path, as the end of a sentence about it: “is too long”. */
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
