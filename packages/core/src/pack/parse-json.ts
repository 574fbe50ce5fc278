import { endOfString } from './json-strings.js';

type Value = null | boolean | number | string | [items: Value[], isList: 0 | 1];

/**
 * `JSON.parse`, for texts in which a key is spelled with an escape too: V8 since 13 reads such a key as another one
 * that begins with a backslash, once it has seen an object with that (nodejs/node#63785). A document from somewhere
 * could so change what a later one says.
 *
 * @throws `SyntaxError`, as `JSON.parse` does.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return hasEscapedKey(text) ? rebuild(JSON.parse(withoutKeys(text)) as Value) : value; // As withoutKeys spells it.
}

function hasEscapedKey(text: string): boolean {
  let escape = text.indexOf('\\');
  let end = -1;
  while (escape !== -1) {
    const start = text.indexOf('"', end + 1);
    end = endOfString(text, start);
    // Outside of strings there are no escapes.
    if (escape > end) continue;
    if (isKey(text, end)) return true;
    escape = text.indexOf('\\', end);
  }
  return false;
}

function isKey(text: string, end: number): boolean {
  let next = end + 1;
  while (' \t\n\r'.includes(text.charAt(next)) && next < text.length) next += 1;
  return text.charAt(next) === ':';
}

const inLists: Readonly<Record<string, string>> = { '{': '[[', '}': '],0]', '[': '[[', ']': '],1]', ':': ',' };

/** A JSON text in which lists stand for objects: the items, keys before values, and whether it was a list. */
function withoutKeys(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    const token = inLists[character];
    if (token === undefined) continue;
    parts.push(text.slice(from, at), token);
    from = at + 1;
  }
  return parts.join('') + text.slice(from);
}

function rebuild(value: Value): unknown {
  if (!Array.isArray(value)) return value;
  const [items, isList] = value;
  if (isList === 1) return items.map(rebuild);
  const keys = items.filter((_, index) => index % 2 === 0);
  return Object.fromEntries(keys.map((key, index) => [key, rebuild(items[index * 2 + 1] ?? null)]));
}
