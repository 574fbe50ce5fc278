import { quoted } from '../errors/quoted.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import type { SkillLimits } from './skill-limits.js';

/** Where the parts of a SKILL.md lie, as offsets into its text. */
export interface SplitText {
  /** The YAML. */
  readonly front: { readonly from: number; readonly to: number };
  /** Where the body begins. */
  readonly body: number;
  /** Where the body ends: the end of the text, or the closing line of a fence around all of it. */
  readonly bodyEnd: number;
}

interface Line {
  readonly text: string;
  readonly from: number;
  /** Where the next line begins; the length of the text after the last line. */
  readonly next: number;
}

const fieldLine = /^[A-Za-z_][\w.-]{0,63}[ \t]*:(?:[ \t]|$)/u;
const fenceLine = /^(?:`{3,16}|~{3,16})[ \t]*[A-Za-z]{0,16}[ \t]*$/u;

/**
 * Finds the front matter of a SKILL.md, around what real files put in its way, each with a finding. `undefined` when
 * there is none, with a finding that says why.
 */
export function splitFrontMatter(text: string, log: DiagnosticLog, limits: SkillLimits): SplitText | undefined {
  return splitProperly(text, limits) ?? splitOddly(text, log, limits);
}

/** Between two proper lines of `---`, the second of which is the first that begins so. */
function splitProperly(text: string, limits: SkillLimits): SplitText | undefined {
  if (!text.startsWith('---\n')) return undefined;
  const from = 4;
  const to = text.indexOf('\n---', from - 1) + 1;
  if (to === 0 || !text.startsWith('---\n', to) || isLonger(text.slice(from, to), limits.frontMatterBytes))
    return undefined;
  return { front: { from, to }, body: to + 4, bodyEnd: text.length };
}

function splitOddly(text: string, log: DiagnosticLog, limits: SkillLimits): SplitText | undefined {
  const start = skipLeading(text, log);
  const top = lineAt(text, start);
  const fenced = fenceLine.test(top.text);
  const inside = fenced ? lineAt(text, skipBlank(text, top.next)) : top;
  if (fenced && !inside.text.startsWith('---') && !fieldLine.test(inside.text)) return missing(top, log);
  const first = inside.text.startsWith('---') ? inside : top;
  if (fenced) {
    log.report('code-fence', {
      at: { offset: start },
      message: `A code fence (${top.text.trim()}) stands around the front matter.`,
      fix: 'The fence was ignored. Remove it.',
    });
  }
  const from = openFront(first, fenced, log);
  if (from === undefined) return undefined;
  const byFence = fenced && !first.text.startsWith('---');
  const close = findClose(text, { from, longest: limits.frontMatterBytes, byFence }) ?? guessClose(text, from, log);
  if (close === 'too-far' || isLonger(text.slice(from, close.from), limits.frontMatterBytes)) {
    return refuseSize(log, limits);
  }
  return { front: { from, to: close.from }, ...bodyRange(text, close.next, fenced) };
}

/** Whether a text has more bytes, as UTF-8, where no character has more than three for each of its code units. */
function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}

function refuseSize(log: DiagnosticLog, limits: SkillLimits): undefined {
  log.report('front-matter-too-large', {
    at: { line: 1 },
    message: `The front matter is larger than ${limits.frontMatterBytes} bytes, or its closing --- is missing.`,
    fix: 'Close the front matter with ---, and move long text into the body.',
  });
  return undefined;
}

function skipLeading(text: string, log: DiagnosticLog): number {
  let at = 0;
  while (text[at] === '\uFEFF') at += 1;
  if (at > 0) {
    log.report('byte-order-mark', {
      at: { line: 1 },
      message: 'The file begins with a byte order mark (U+FEFF).',
      fix: 'It was ignored. Save the file as UTF-8 without one.',
    });
  }
  const content = skipSpace(text, at);
  if (content > at) {
    log.report('leading-blank-lines', {
      at: { line: 1 },
      message: 'White space stands before the front matter.',
      fix: 'It was ignored. Let the file begin with ---.',
    });
  }
  if (!text.startsWith('<!--', content)) return content;
  const end = text.indexOf('-->', content);
  if (end === -1) return content;
  log.report('leading-comment', {
    at: { offset: content },
    message: 'An HTML comment stands before the front matter.',
    fix: 'It was ignored. Move it below the front matter.',
  });
  return skipSpace(text, end + 3);
}

/** Where the YAML begins, given the line that opens it. */
function openFront(first: Line, fenced: boolean, log: DiagnosticLog): number | undefined {
  if (first.text.startsWith('---')) return openAfter(first, log);
  if (fenced) return first.next;
  if (/^(?:name|description)[ \t]*:(?:[ \t]|$)/u.test(first.text)) return unopened(first, log);
  return /^\+{3}[ \t]*$/u.test(first.text) ? refuseLanguage(first, 'TOML', log) : missing(first, log);
}

/** Where the YAML begins, given a line that begins with `---`. */
function openAfter(first: Line, log: DiagnosticLog): number | undefined {
  if (first.text.trimEnd() === '---') return first.next;
  const rest = first.text.replace(/^-{3,}/u, '').trim();
  if (rest === '' || /^(?:yaml|yml)$/iu.test(rest) || rest.startsWith('#')) {
    reportOdd(first, log);
    return first.next;
  }
  if (!fieldLine.test(rest)) return refuseLanguage(first, rest, log);
  reportOdd(first, log);
  return first.from + first.text.indexOf(rest);
}

function unopened(first: Line, log: DiagnosticLog): number {
  log.report('front-matter-unopened', {
    at: { offset: first.from },
    message: `The file begins with ${quoted(first.text)}, not with ---.`,
    fix: 'Read as front matter. Put --- on a line above it.',
  });
  return first.from;
}

function reportOdd(line: Line, log: DiagnosticLog): void {
  log.report('delimiter-odd', {
    at: { offset: line.from },
    message: `The line ${quoted(line.text)} was read as ---.`,
    fix: 'Write --- alone on the line.',
  });
}

function refuseLanguage(first: Line, language: string, log: DiagnosticLog): undefined {
  log.report('front-matter-language', {
    at: { offset: first.from },
    message: `The front matter says it is ${quoted(language)}; only YAML is read.`,
    fix: 'Write the fields as YAML between two lines of ---.',
  });
  return undefined;
}

function missing(first: Line, log: DiagnosticLog): undefined {
  log.report('front-matter-missing', {
    at: { offset: first.from },
    message:
      first.text === '' ? 'The file is empty.' : `The file begins with ${quoted(first.text)}, not with front matter.`,
    fix: 'Begin with a line of ---, then name: and description:, then another line of ---.',
  });
  return undefined;
}

interface CloseOptions {
  readonly from: number;
  /** How far to look. */
  readonly longest: number;
  /** Whether the closing line of a code fence closes the front matter too. */
  readonly byFence: boolean;
}

/** The line that closes the front matter; `undefined` when there is none. */
function findClose(text: string, { from, longest, byFence }: CloseOptions): Line | 'too-far' | undefined {
  for (let line = lineAt(text, from); ; line = lineAt(text, line.next)) {
    if (line.from - from > longest) return 'too-far';
    if (line.text.startsWith('---') && line.text.trimEnd() === '---') return line;
    if (byFence && fenceLine.test(line.text)) return line;
    if (line.next >= text.length) return undefined;
  }
}

/** The line before which the fields end when no line is a proper `---`. */
function guessClose(text: string, from: number, log: DiagnosticLog): Line {
  let afterBlank = false;
  for (let line = lineAt(text, from); line.from < text.length; line = lineAt(text, line.next)) {
    const trimmed = line.text.trim();
    if (/^(?:-{3,}|\.{3}|[—–]+-*)$/u.test(trimmed)) {
      reportOdd(line, log);
      return line;
    }
    const belongs = trimmed === '' || fieldLine.test(line.text) || /^(?:[ \t]|- )/u.test(line.text);
    if (!belongs && (afterBlank || !/^[#\w]/u.test(line.text))) return unclosed(line, log);
    if (trimmed.startsWith('# ') && line.text.startsWith('#')) return unclosed(line, log);
    afterBlank = trimmed === '';
  }
  return unclosed({ text: '', from: text.length, next: text.length }, log);
}

function unclosed(line: Line, log: DiagnosticLog): Line {
  log.report('front-matter-unclosed', {
    at: { offset: line.from },
    message: 'No line of --- closes the front matter.',
    fix: 'The body was taken to begin here. Put --- on a line above it.',
  });
  return { text: '', from: line.from, next: line.from };
}

function bodyRange(text: string, from: number, fenced: boolean): Pick<SplitText, 'body' | 'bodyEnd'> {
  if (!fenced) return { body: from, bodyEnd: text.length };
  const first = lineAt(text, skipBlank(text, from));
  if (isFenceEnd(first.text)) return { body: first.next, bodyEnd: text.length };
  const end = text.trimEnd().length;
  const last = text.lastIndexOf('\n', end - 1) + 1;
  return { body: from, bodyEnd: last > from && isFenceEnd(text.slice(last, end)) ? last : text.length };
}

function isFenceEnd(line: string): boolean {
  return /^(?:`{3,16}|~{3,16})$/u.test(line.trim());
}

function lineAt(text: string, from: number): Line {
  const end = text.indexOf('\n', from);
  return end === -1
    ? { text: text.slice(from), from, next: text.length }
    : { text: text.slice(from, end), from, next: end + 1 };
}

function skipSpace(text: string, from: number): number {
  const visible = /\S/gu;
  visible.lastIndex = from;
  return visible.exec(text)?.index ?? text.length;
}

/** The beginning of the first line from here on that is not blank. */
function skipBlank(text: string, from: number): number {
  return text.lastIndexOf('\n', skipSpace(text, from) - 1) + 1;
}
