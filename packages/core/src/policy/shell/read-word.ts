import { quoted } from '../../errors/quoted.js';
import { UnreadableLine } from './unreadable-line.js';

/** A word of a line, as a shell would hand it on. */
export interface Word {
  readonly kind: 'word';
  /** Without its quotes. */
  readonly value: string;
  /** With them: as it stands in the line. */
  readonly raw: string;
  /** Where it begins, in UTF-16 code units. */
  readonly at: number;
}

/** One character, or one quoted part, of a word, and where the next one begins. */
interface Piece {
  readonly value: string;
  readonly end: number;
}

/** What ends a word where it is not quoted. */
export const wordEnds: ReadonlySet<string> = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')']);

const blanks: ReadonlySet<string | undefined> = new Set([' ', '\t', '\n', undefined]);

/**
 * Reads the word that begins at a place of a line.
 *
 * @throws UnreadableLine when its value is another in another shell, or known only when it runs
 */
export function readWord(text: string, at: number): Word {
  const values: string[] = [];
  let end = at;
  while (end < text.length && !wordEnds.has(text.charAt(end))) {
    const piece = readPiece(text, end, at);
    values.push(piece.value);
    end = piece.end;
  }
  const raw = text.slice(at, end);
  // bash makes several words of `{a,b}` and of `{1..3}`; other shells do not.
  const value = values.join('');
  if (/,|\.\./u.test(raw + value) && unquotedPart(raw).includes('{')) {
    throw new UnreadableLine(`The braces in ${quoted(raw)} make several words of one.`);
  }
  return { kind: 'word', value, raw, at };
}

/** A word without its quoted parts. */
function unquotedPart(raw: string): string {
  return raw.replaceAll(/\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"/gu, 'x');
}

function readPiece(text: string, at: number, start: number): Piece {
  const character = text.charAt(at);
  switch (character) {
    case "'":
      return readSingleQuotes(text, at);
    case '"':
      return readDoubleQuotes(text, at);
    case '\\':
      return readEscape(text, at);
    default:
      judgeBareCharacter(text, at, start);
      return { value: character, end: at + 1 };
  }
}

function readSingleQuotes(text: string, at: number): Piece {
  const close = text.indexOf("'", at + 1);
  if (close < 0) throw new UnreadableLine('A single quotation mark is never closed.');
  return { value: text.slice(at + 1, close), end: close + 1 };
}

function readDoubleQuotes(text: string, at: number): Piece {
  const values: string[] = [];
  let now = at + 1;
  for (;;) {
    const character = text[now];
    const next = text[now + 1];
    if (character === undefined) throw new UnreadableLine('A double quotation mark is never closed.');
    if (character === '"') return { value: values.join(''), end: now + 1 };
    if (character === '`') throw new UnreadableLine('Back-ticks start a command whose output becomes a word.');
    if (character === '\\' && next !== undefined && '$`"\\\n'.includes(next)) {
      if (next !== '\n') values.push(next);
      now += 2;
      continue;
    }
    if (character === '$' && (next === undefined || !'" /.,:;|)'.includes(next))) refuseExpansion(text, now);
    values.push(character);
    now += 1;
  }
}

function readEscape(text: string, at: number): Piece {
  const next = text[at + 1];
  if (next === undefined) throw new UnreadableLine('A backslash stands at its end.');
  if (next === '\n') throw new UnreadableLine('A line goes on in the middle of a word.');
  if (next > '~') throw new UnreadableLine('A character that is not ASCII stands outside quotation marks.');
  return { value: next, end: at + 2 };
}

function judgeBareCharacter(text: string, at: number, start: number): void {
  const character = text.charAt(at);
  const next = text[at + 1];
  switch (character) {
    case '$':
      // At the end of a word it means itself.
      if (!blanks.has(next)) refuseExpansion(text, at);
      return;
    case '`':
      throw new UnreadableLine('Back-ticks start a command whose output becomes a word.');
    case '*':
    case '?':
      throw new UnreadableLine(`An unquoted ${quoted(character)} becomes the names of files.`);
    case '[':
      if (at !== start || !blanks.has(next)) throw new UnreadableLine('An unquoted “[” becomes the names of files.');
      return;
    case '~':
      if (at === start || !/[\w.\-~]/u.test(text.charAt(at - 1))) {
        throw new UnreadableLine('An unquoted “~” becomes the name of a folder.');
      }
      return;
    default:
      // What is white space, or a letter, beyond ASCII depends on the shell and on the language of the system.
      if (character > '~') throw new UnreadableLine('A character that is not ASCII stands outside quotation marks.');
  }
}

function refuseExpansion(text: string, at: number): never {
  const next = text.charAt(at + 1);
  if (next === '(') throw new UnreadableLine('“$(” starts a command, or a sum, whose outcome becomes a word.');
  if (next === "'" || next === '"')
    throw new UnreadableLine('A “$” before a quotation mark is not read alike by all shells.');
  throw new UnreadableLine(`What ${quoted(text.slice(at, at + 20))} stands for is known only when it runs.`);
}
