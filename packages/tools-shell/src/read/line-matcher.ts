import { createContext, Script } from 'node:vm';
import { quoted, SkillsError } from '@skillpack/core';

/** What is looked for. */
export interface SearchPattern {
  readonly pattern: string;
  /** Whether it is a regular expression, and not a text. */
  readonly regex: boolean;
  readonly ignoreCase: boolean;
}

/** A line in which it was found. */
export interface MatchedLine {
  /** From 1. */
  readonly line: number;
  /** Where in the line, in UTF-16 code units. */
  readonly at: number;
}

/** Finds those of some lines of a text that match, at most `most`; the first of them is 1. */
export type FindLines = (lines: readonly string[], most: number) => readonly MatchedLine[];

/** Begins with a text: what finds its lines, some after the others. */
export type LineMatcher = () => FindLines;

/** Milliseconds for one text: whatever takes longer goes through more ways than anyone waits for. */
const longest = 250;
const longestLine = 20_000;

/**
 * Makes what finds lines. A regular expression, which a model or a hostile file may have made, is stopped by a watchdog of
 * V8's once it has taken a quarter of a second for a text: until then nothing else runs.
 *
 * @throws `INVALID_INPUT` for what is no regular expression; what finds lines throws `TIMEOUT`.
 */
export function makeLineMatcher(search: SearchPattern): LineMatcher {
  const { pattern, regex, ignoreCase } = search;
  if (!regex && !ignoreCase) return () => (lines, most) => findLines(lines, most, (text) => text.indexOf(pattern));
  const expression = compile(regex ? pattern : escaped(pattern), ignoreCase);
  const find: FindLines = (lines, most) => findLines(lines, most, (text) => text.search(expression));
  if (!regex) return () => find;
  const context = createContext({ work: (): void => undefined });
  const script = new Script('work()');
  const findWithin = (milliseconds: number, lines: readonly string[], most: number): readonly MatchedLine[] => {
    let found: readonly MatchedLine[] = [];
    context['work'] = () => {
      found = find(lines, most);
    };
    try {
      script.runInContext(context, { timeout: Math.max(1, Math.ceil(milliseconds)) });
    } catch (error) {
      throw refused(error, pattern);
    }
    return found;
  };
  return () => {
    let left = longest;
    return (lines, most) => {
      const begun = performance.now();
      const found = findWithin(left, lines, most);
      left -= performance.now() - begun;
      return found;
    };
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/gu, (character) => (character === '-' ? '\\x2d' : `\\${character}`));
}

function compile(source: string, ignoreCase: boolean): RegExp {
  const flags = ignoreCase ? 'i' : '';
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // The older grammar takes escapes that mean nothing, which models like to write.
    try {
      return new RegExp(source, flags);
    } catch (error) {
      throw new SkillsError('INVALID_INPUT', `${quoted(source)} is no regular expression.`, {
        hint: 'Leave out regex to look for the text as it is.',
        cause: error,
      });
    }
  }
}

function findLines(lines: readonly string[], most: number, find: (text: string) => number): readonly MatchedLine[] {
  const found: MatchedLine[] = [];
  for (const [index, text] of lines.entries()) {
    const at = find(text.length > longestLine ? text.slice(0, longestLine) : text);
    if (at !== -1) found.push({ line: index + 1, at });
    if (found.length >= most) break;
  }
  return found;
}

function refused(error: unknown, pattern: string): unknown {
  if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
    return new SkillsError('TIMEOUT', `The expression ${quoted(pattern)} took more than ${longest} ms for one file.`, {
      hint: 'Write it without repetitions inside repetitions, or look for a text.',
    });
  }
  // That it is too large, or needs too much of the stack, comes out only when it is used.
  if (!(error instanceof SyntaxError || error instanceof RangeError)) return error;
  return new SkillsError('INVALID_INPUT', `The expression ${quoted(pattern)} is too large.`, { cause: error });
}
