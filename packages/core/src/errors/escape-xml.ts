import { visibleText } from './visible-text.js';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text in which nothing is markup, for one line of a prompt. */
export function escapeXml(text: string): string {
  return visibleText(text.replace(/[&<>]/gu, (character) => entities[character] ?? character));
}
