import { showCodePoint, visibleText } from './visible-text.js';

// Joiners and variation selectors where they have nothing to act on: behind ASCII, behind each other, at an end. There
// they make two names look alike, and a message about such a name has to show how they differ.
const idle = /(?<![^\p{ASCII}\u200C\u200D])[\u200C\u200D\uFE00-\uFE0F]|[\u200C\u200D]$/gu;

/**
 * A text from outside as a message shows it: in quotation marks, on one line, every character visible, cut after
 * `length` UTF-16 code units.
 */
export function quoted(text: string, length: number = 200): string {
  if (text.length <= length) return `“${shown(text)}”`;
  const cut = text.slice(0, length).replace(/[\uD800-\uDBFF]$/u, '');
  return `“${shown(cut)}…”`;
}

function shown(text: string): string {
  return visibleText(text.replace(idle, showCodePoint));
}
