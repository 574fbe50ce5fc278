import { endOfString } from '../json/json-strings.js';

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * A text that is nearly JSON, without what can only be a slip: commas that stand before a closing bracket or behind an
 * opening one, and control characters within strings, which become escapes. Of valid JSON it changes nothing.
 */
export function mendJson(text: string): string {
  const parts: string[] = [];
  let from = 0;
  let previous = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = endOfString(text, at);
      parts.push(text.slice(from, at), escaped(text.slice(at, end + 1)));
      from = end + 1;
      at = end;
    } else if (character === ',' && (isOpening(previous) || isClosing(nextOf(text, at + 1)))) {
      parts.push(text.slice(from, at));
      from = at + 1;
      continue;
    }
    if (!isBlank(character)) previous = character;
  }
  return parts.join('') + text.slice(from);
}

function escaped(literal: string): string {
  // eslint-disable-next-line no-control-regex -- finding control characters is what it is for
  return literal.replace(/[\u0000-\u001F]/gu, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return escapes[character] ?? `\\u${code}`;
  });
}

function nextOf(text: string, from: number): string {
  let next = from;
  while (isBlank(text.charAt(next))) next += 1;
  return text.charAt(next);
}

function isBlank(character: string): boolean {
  return character !== '' && ' \t\n\r'.includes(character);
}

function isOpening(character: string): boolean {
  return character === '{' || character === '[';
}

function isClosing(character: string): boolean {
  return character === '}' || character === ']';
}
