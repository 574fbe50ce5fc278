import { endOfString } from './json-strings.js';

/** As withoutKeys spells it: 0 and the keys and values of an object, or 1 and the items of a list. */
type Values = [isList: 0 | 1, ...parts: Value[]];
type Value = null | boolean | number | string | Values;

/**
 * `JSON.parse`, for texts in which a key is spelled with an escape too: V8 since 13 reads such a key as another one
 * that begins with a backslash, once it has seen an object with that (nodejs/node#63785). A document from somewhere
 * could so change what a later one says.
 *
 * @throws `SyntaxError`, as `JSON.parse` does.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return hasEscapedKey(text) ? rebuild(JSON.parse(withoutKeys(text)) as Value) : value; // what withoutKeys writes
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
  return text.charAt(nextToken(text, end + 1)) === ':';
}

function nextToken(text: string, from: number): number {
  let next = from;
  while (' \t\n\r'.includes(text.charAt(next)) && next < text.length) next += 1;
  return next;
}

const inLists: Readonly<Record<string, string>> = { '{': '[0', '}': ']', '[': '[1', ':': ',' };

/** A JSON text in which lists stand for objects: whether it was a list, then the items, keys before values. */
function withoutKeys(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    const token = inLists[character];
    if (token === undefined) continue;
    const holds = token.startsWith('[') && !'}]'.includes(text.charAt(nextToken(text, at + 1)));
    parts.push(text.slice(from, at), holds ? `${token},` : token);
    from = at + 1;
  }
  return parts.join('') + text.slice(from);
}

/** Not by recursion: JSON.parse reads texts that are nested deeper than the stack is. */
function rebuild(root: Value): unknown {
  const open: [values: Values, into: unknown[] | Record<string, unknown>][] = [];
  const made = (value: Value): unknown => {
    if (!Array.isArray(value)) return value;
    const into = value[0] === 1 ? [] : {};
    open.push([value, into]);
    return into;
  };
  const built = made(root);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [values, into] = next;
    if (Array.isArray(into)) for (let at = 1; at < values.length; at += 1) into.push(made(values[at] ?? null));
    else for (let at = 1; at < values.length; at += 2) put(into, String(values[at]), made(values[at + 1] ?? null));
  }
  return built;
}

function put(into: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') into[key] = value;
  else Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
}
