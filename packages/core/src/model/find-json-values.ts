import { endOfString } from '../json/json-strings.js';

// Each costs a reading of its own.
const maxValues = 64;

/** What of JSON stands in a text. */
export interface FoundValues {
  /** Objects, and lists that hold some, each from its bracket to the matching one, in order. Not looked into. */
  readonly texts: readonly string[];
  /**
   * `open`: an object, or something around one, is never closed, as where an answer was cut off; what it holds is not
   * among the texts. `too-many`: there are more than 64.
   */
  readonly end: 'closed' | 'open' | 'too-many';
}

/**
 * Finds what may be objects of JSON in prose, in fenced blocks or behind other text. None lies within another, nor
 * within what another that is not closed may have held. Takes linear time.
 */
export function findJsonValues(text: string): FoundValues {
  const texts: string[] = [];
  for (let at = nextOpening(text, 0); at !== undefined; at = nextOpening(text, at)) {
    const end = endOfValue(text, at);
    const value = text.slice(at, end);
    const holdsObject = value.includes('{');
    // Of brackets in prose only those count that an object stands in.
    if (end === undefined) return { texts, end: holdsObject ? 'open' : 'closed' };
    if (holdsObject && texts.length === maxValues) return { texts, end: 'too-many' };
    if (holdsObject) texts.push(value);
    at = end;
  }
  return { texts, end: 'closed' };
}

function nextOpening(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '{' || character === '[') return at;
  }
  return undefined;
}

/** Where the bracket is closed that opens at `start`. One of the other kind closes nothing. */
function endOfValue(text: string, start: number): number | undefined {
  const closing: string[] = [];
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === '{') closing.push('}');
    else if (character === '[') closing.push(']');
    else if (character === closing.at(-1)) closing.pop();
    if (closing.length === 0) return at + 1;
  }
  return undefined;
}
