import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';

const longestPath = 1024;
const longestComponent = 255;
// eslint-disable-next-line no-control-regex -- finding control characters is what it is for
const control = /[\u0000-\u001F\u007F-\u009F]/u;

/**
 * A path below a skill's folder, as a backend may be asked for it: relative, with `/`, no component empty, `.` or `..`.
 * A leading `./`, which skills like to write, is taken away.
 *
 * @throws `PATH_TRAVERSAL_BLOCKED` for a path that is absolute, or leads out of the folder on some system;
 * `FILE_NOT_FOUND` for one that no file can have.
 */
export function checkSkillPath(path: string): string {
  const relative = path.replace(/^(?:\.\/+)+/u, '');
  const escape = judgeEscape(relative);
  if (escape !== undefined) {
    throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `The path ${quoted(path)} ${escape}.`, {
      hint: 'Name a file of the skill by its path below the folder of the skill, with “/”: references/forms.md.',
      data: { path: path.slice(0, longestPath) },
    });
  }
  const problem = judgeForm(relative);
  if (problem !== undefined) {
    throw new SkillsError('FILE_NOT_FOUND', `The path ${quoted(path)} ${problem}, so no file of a skill has it.`, {
      hint: 'Name one file by its path below the folder of the skill, with “/”: references/forms.md.',
      data: { path: path.slice(0, longestPath) },
    });
  }
  return relative;
}

/** Whether {@link checkSkillPath} takes it as it is. */
export function isSkillPath(path: string): boolean {
  return judgeEscape(path) === undefined && judgeForm(path) === undefined;
}

function judgeEscape(path: string): string | undefined {
  // Nothing that is judged below takes long, and nothing longer is looked at.
  if (path.length > longestPath) return undefined;
  if (/^[\\/]/u.test(path)) return 'is absolute';
  if (/^[A-Za-z]:/u.test(path)) return 'begins with a drive letter';
  if (control.test(path)) return 'holds a control character';
  if (path.includes('\\')) return 'holds a backslash';
  // Where a file system composes names, wide and compatibility forms (“．．”, “／”) become dots and slashes; Windows
  // takes dots and spaces from the end of a name.
  const folded = path.split('/').flatMap((component) => component.normalize('NFKC').split(/[\\/]/u));
  if (folded.length > path.split('/').length) return 'holds a character that some systems take for a slash';
  return folded.some((component) => /^\.\.[. ]*$/u.test(component)) ? 'leads out of the skill (“..”)' : undefined;
}

function judgeForm(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > longestPath) return `is longer than ${longestPath} characters`;
  if (!path.isWellFormed()) return 'is not valid Unicode';
  const components = path.split('/');
  if (components.some((component) => /^[. ]*$/u.test(component))) return 'has an empty component or “.”';
  if (components.some((component) => component.length > longestComponent)) {
    return `has a component of more than ${longestComponent} characters`;
  }
  return undefined;
}
