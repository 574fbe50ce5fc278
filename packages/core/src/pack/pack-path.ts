import { foldPath } from '../digest/fold-path.js';
import { defaultArchiveLimits, type ArchiveLimits } from './archive-limits.js';

/** Why a path cannot stand in a pack. */
export type PathProblem =
  | 'path-empty'
  | 'path-absolute'
  | 'path-drive'
  | 'path-traversal'
  | 'path-backslash'
  | 'path-control-character'
  | 'path-invisible-character'
  | 'path-not-unicode'
  | 'path-windows-reserved'
  /** `.git`, whose configuration and hooks git would run for whoever works in the folder. */
  | 'path-git-folder'
  | 'path-windows-character'
  | 'path-trailing-dot-or-space'
  | 'path-too-long'
  | 'path-too-deep';

/** The limits that a path is held to. */
export type PathLimits = Pick<ArchiveLimits, 'depth' | 'pathBytes' | 'componentBytes'>;

// eslint-disable-next-line no-control-regex -- finding control characters is what it is for
const control = /[\u0000-\u001F\u007F-\u009F]/u;
// U+200C and U+200D, the joiners, are judged apart.
const invisible =
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB]|[\u{13430}-\u{1343F}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/u;
// A joiner is visible where it joins: between the parts of an emoji (RGI sequences, UTS #51), and between letters or
// marks of the scripts that spell with it (UAX #31, contexts A1, A2 and B). Elsewhere it makes two names look alike.
const joinable =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;
let joined: RegExp | undefined;
const joiner = /[\u200C\u200D]/u;
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\s*[.:].*|\s*)$/iu;
// `git~1` is the short name that Windows gives `.git`.
const gitFolder = /^(?:\.git|git~[0-9]+)[. ]*$/u;
const encoder = new TextEncoder();
// Components of these characters that end with no dot, and are neither a device nor `.git`.
const plainPath =
  /^(?:(?!(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./]|$)|\.git(?:\/|$))[a-z0-9_+@=,.-]*[a-z0-9_+@=,-](?:\/(?!$)|$))+$/iu;

/**
 * Judges a path inside a pack: slash-separated, relative to the pack, without a trailing slash. A path is fine when it
 * names the same file on Linux, macOS and Windows, cannot leave the pack, and shows every character it has.
 *
 * @returns `undefined` for a fine path, else the first problem.
 */
export function judgePath(path: string, limits: PathLimits = defaultArchiveLimits): PathProblem | undefined {
  if (isPlain(path, limits)) return undefined;
  if (path === '') return 'path-empty';
  if (!path.isWellFormed() || path.includes('\uFFFD')) return 'path-not-unicode';
  if (control.test(path)) return 'path-control-character';
  if (invisible.test(path) || hasLooseJoiner(path)) return 'path-invisible-character';
  if (/^[A-Za-z]:/u.test(path)) return 'path-drive';
  if (/^[\\/]/u.test(path)) return 'path-absolute';
  if (path.split(/[\\/]/u).includes('..')) return 'path-traversal';
  if (path.includes('\\')) return 'path-backslash';
  if (encoder.encode(path).length > limits.pathBytes) return 'path-too-long';
  const components = path.split('/');
  if (components.length > limits.depth) return 'path-too-deep';
  for (const component of components) {
    const problem = judgeComponent(component, limits);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether a path is fine at first sight, as nearly all are: what it costs to judge the others is seldom paid. */
function isPlain(path: string, { depth, pathBytes, componentBytes }: PathLimits): boolean {
  if (path.length > Math.min(pathBytes, componentBytes) || !plainPath.test(path)) return false;
  let components = 1;
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) components += 1;
  return components <= depth;
}

/** Whether there is a joiner that joins nothing. What finds those that do takes a millisecond to make, and few need it. */
function hasLooseJoiner(path: string): boolean {
  if (!joiner.test(path)) return false;
  joined ??= new RegExp(
    `(?<=\\p{Extended_Pictographic}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=\\p{Extended_Pictographic})|(?<=${joinable.source})[\\u200C\\u200D](?=${joinable.source})`,
    'gu',
  );
  return joiner.test(path.replace(joined, ''));
}

function judgeComponent(component: string, limits: PathLimits): PathProblem | undefined {
  if (component === '' || component === '.') return 'path-empty';
  if (encoder.encode(component).length > limits.componentBytes) return 'path-too-long';
  if (reserved.test(component)) return 'path-windows-reserved';
  const folded = foldPath(component);
  // Wide and compatibility forms (“．．”, “／”) become dots and slashes where a file system or a tool composes names.
  if (folded === '.' || folded === '..' || /[/\\]/u.test(folded)) return 'path-traversal';
  if (gitFolder.test(folded)) return 'path-git-folder';
  if (/[<>:"|?*]/u.test(component)) return 'path-windows-character';
  if (/[. ]$|^ /u.test(component)) return 'path-trailing-dot-or-space';
  return undefined;
}
