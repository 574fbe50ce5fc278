import { endOfString } from '../json/json-strings.js';

// Braces that open nothing cost a reading of what follows each.
const maxTries = 64;
const maxDepth = 64;

/** The objects of JSON that stand in a text. */
export interface FoundObjects {
  /** Each from its brace to the matching one, in order; none lies within another. Not looked into. */
  readonly texts: readonly string[];
  /** Whether the last brace that opens is never closed, as where an answer was cut off. */
  readonly open: boolean;
}

/** Finds what may be objects of JSON in prose, in fenced blocks or behind other text. */
export function findJsonObjects(text: string): FoundObjects {
  const texts: string[] = [];
  let open = false;
  let at = text.indexOf('{');
  for (let tries = 0; at !== -1 && tries < maxTries; tries += 1) {
    const end = endOfObject(text, at);
    open = end === undefined;
    if (end !== undefined) texts.push(text.slice(at, end));
    at = text.indexOf('{', end ?? at + 1);
  }
  return { texts, open };
}

function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (depth === 0) return at + 1;
    if (depth > maxDepth) return undefined;
  }
  return undefined;
}
