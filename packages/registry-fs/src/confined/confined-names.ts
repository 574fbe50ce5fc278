import { isAbsolute, sep } from 'node:path';
import { judgePath, quoted, SkillsError } from '@skillpack/core/listing';

const longestPath = 4096;

/**
 * The names in a path of a file in a folder, one below the other.
 *
 * @throws `PATH_TRAVERSAL_BLOCKED` for one that is absolute or holds `..`, `FILE_NOT_FOUND` for one that no file can have.
 */
export function confinedNames(path: string): readonly string[] {
  const names = path.slice(0, longestPath + 1).split(sep === '/' ? '/' : /[\\/]/u);
  if (isAbsolute(path) || path.startsWith('/') || names.includes('..')) {
    throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `${quoted(path)} does not stay in the folder of the skill.`, {
      hint: 'Paths start at that folder: references/forms.md.',
      data: { path: path.slice(0, longestPath) },
    });
  }
  const odd = path.length > longestPath || path.includes('\0') || names.some((name) => name === '' || name === '.');
  // There, `nul` and `con.txt` are devices, `a:b` is a hidden part of `a`, and `a.` is `a`.
  if (!odd && (process.platform !== 'win32' || judgePath(path) === undefined)) return names;
  throw new SkillsError('FILE_NOT_FOUND', `${quoted(path)} is the path of no file.`, {
    hint: 'Paths are relative, with one slash between two names: references/forms.md.',
    data: { path: path.slice(0, longestPath) },
  });
}
