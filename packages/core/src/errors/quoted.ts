import { visibleText } from './visible-text.js';

/**
 * A text from outside as a message shows it: in quotation marks, on one line, every character visible, cut after
 * `length` UTF-16 code units.
 */
export function quoted(text: string, length: number = 200): string {
  if (text.length <= length) return `“${visibleText(text)}”`;
  const cut = text.slice(0, length).replace(/[\uD800-\uDBFF]$/u, '');
  return `“${visibleText(cut)}…”`;
}
