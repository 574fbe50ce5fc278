import { count } from './count.js';
import { shortened } from './shortened.js';

const mostLines = 10;
const longest = 160;

/**
 * What a tool says to a person, below its step: its first lines, each marked, so that none looks like a step. Not made
 * visible.
 *
 * @param text what no model reads. @default nothing is told
 */
export function forPerson(text: string | undefined): readonly string[] {
  const lines = text?.trim().split(/\r\n?|[\n\u2028\u2029]/u) ?? [];
  if (lines.join('') === '') return [];
  const more = lines.length - mostLines;
  const shown = lines.slice(0, mostLines).map((line) => shortened(line, longest));
  return [...shown, ...(more > 0 ? [`… and ${count(more, 'more line')}`] : [])].map((line) => `  | ${line}`);
}
