import type { Bindings } from './bindings.js';
import { bind } from './bindings.js';

const variable = /^\$([A-Za-z_][A-Za-z0-9_]*)$/u;

/** The name of a variable, where a text of a pattern is one: `X` of `$X`. */
export function variableOf(text: string): string | undefined {
  return variable.exec(text)?.[1];
}

/** Whether a text is what a pattern wants, in which `*` stands for any characters. In time that grows with their lengths alone. */
export function fitsText(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return pattern === text;
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  const end = text.length - tail.length;
  let at = head.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

/** What the variables stand for then; `undefined` where the text is not what the pattern wants. */
export function matchText(pattern: string, text: string, bindings: Bindings): Bindings | undefined {
  const name = variableOf(pattern);
  if (name !== undefined) return bind(bindings, name, text);
  return fitsText(pattern, text) ? bindings : undefined;
}
