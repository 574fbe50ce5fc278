import { readWord, wordEnds, type Word } from './read-word.js';
import { UnreadableLine } from './unreadable-line.js';

/** One part of a line. */
export type Token = Word | Operator | Redirect;

export interface Operator {
  readonly kind: 'operator';
  readonly operator: '&&' | '||' | '|' | ';' | '&' | '\n' | '(' | ')';
  readonly at: number;
}

export interface Redirect {
  readonly kind: 'redirect';
  /** With its descriptor, where one is written. */
  readonly operator: string;
  readonly target: Word;
  readonly at: number;
}

/**
 * Cuts a line into its parts.
 *
 * @throws UnreadableLine when that is not sure
 */
export function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at = skipBlanks(text, at);
    if (at >= text.length) return tokens;
    const token = readToken(text, at);
    tokens.push(token.token);
    at = token.end;
  }
}

interface Read {
  readonly token: Token;
  readonly end: number;
}

function readToken(text: string, at: number): Read {
  const character = text.charAt(at);
  const two = text.slice(at, at + 2);
  if (two === '&>') return readRedirect(text, at, { operator: text.startsWith('&>>', at) ? '&>>' : '&>', start: at });
  if (character === '<' || character === '>')
    return readRedirect(text, at, { operator: redirectAt(text, at), start: at });
  if (two === ';;' || two === ';&') throw new UnreadableLine('It has a branch of a “case” without the “case”.');
  if (two === '&&' || two === '||') return { token: { kind: 'operator', operator: two, at }, end: at + 2 };
  if (two === '|&') throw new UnreadableLine('“|&” is a pipe in some shells, and an error in others.');
  if (isOperator(character)) return { token: { kind: 'operator', operator: character, at }, end: at + 1 };
  const word = readWord(text, at);
  const end = at + word.raw.length;
  const next = text[end];
  if (next !== '<' && next !== '>') return { token: word, end };
  if (/^\d$/u.test(word.raw)) return readRedirect(text, end, { operator: word.raw + redirectAt(text, end), start: at });
  // bash takes both for the descriptor of what follows, other shells for a word.
  if (/^\d+$|^\{/u.test(word.raw)) throw new UnreadableLine('Shells differ in which descriptor is redirected.');
  return { token: word, end };
}

function isOperator(character: string): character is '|' | ';' | '&' | '\n' | '(' | ')' {
  return wordEnds.has(character);
}

/** The operator that begins with `<` or `>`. */
function redirectAt(text: string, at: number): string {
  const two = text.slice(at, at + 2);
  if (two === '<<') throw new UnreadableLine('It has a here-document or a here-string.');
  if (two === '<(' || two === '>(') throw new UnreadableLine(`“${two}” starts a command behind a file.`);
  return ['>>', '>&', '>|', '<>', '<&'].includes(two) ? two : two.charAt(0);
}

function readRedirect(text: string, at: number, { operator, start }: { operator: string; start: number }): Read {
  const from = skipSpaces(text, at + operator.replace(/^\d/u, '').length);
  const first = text.charAt(from);
  if (first === '' || first === '#' || wordEnds.has(first)) throw new UnreadableLine(`“${operator}” leads nowhere.`);
  const target = readWord(text, from);
  // bash opens a file where another shell finds an error.
  if (/^\d?[<>]&$/u.test(operator) && !/^(?:\d|-)$/u.test(target.raw)) {
    throw new UnreadableLine(`Behind “${operator}” stands no descriptor.`);
  }
  const end = from + target.raw.length;
  // What stands before another redirect can be its descriptor.
  if (text[end] === '<' || text[end] === '>')
    throw new UnreadableLine('Shells differ in which descriptor is redirected.');
  return { token: { kind: 'redirect', operator, target, at: start }, end };
}

function skipSpaces(text: string, at: number): number {
  let now = at;
  while (text[now] === ' ' || text[now] === '\t') now += 1;
  return now;
}

/** Passes over blanks, comments, and ends of lines that are escaped. */
function skipBlanks(text: string, at: number): number {
  let now = at;
  for (;;) {
    now = skipSpaces(text, now);
    if (text[now] === '#') {
      const end = text.indexOf('\n', now);
      now = end < 0 ? text.length : end;
    } else if (text.startsWith('\\\n', now)) {
      // Directly behind an operator it could go on with another character of it.
      if (!/[ \t]$|&&$|\|\|$/u.test(text.slice(Math.max(0, now - 2), now))) {
        throw new UnreadableLine('A line goes on in the middle of a word or of an operator.');
      }
      now += 2;
    } else {
      return now;
    }
  }
}
