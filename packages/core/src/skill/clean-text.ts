import { invisibleCharacters } from '../errors/visible-text.js';
import type { DiagnosticLog } from './diagnostic-log.js';

const lineSeparators = /[\u0085\u2028\u2029]/gu;
const mostReported = 20;

/** `text` without characters that nobody can see; tabs and line breaks stay, and every kind of line break is `\n`. */
export function cleanText(text: string): string {
  return text
    .replaceAll(lineSeparators, '\n')
    .replaceAll(invisibleCharacters, (character) => (character === '\n' || character === '\t' ? character : ''));
}

/** A stretch of the file, by offsets. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Reports the invisible characters of a stretch of the file: each one, up to 20, then how many more there are. */
export function reportInvisible(text: string, stretch: Stretch, log: DiagnosticLog): void {
  let found = 0;
  for (const { 0: character, index } of text.slice(stretch.from, stretch.to).matchAll(invisibleCharacters)) {
    if (character === '\n' || character === '\t') continue;
    found += 1;
    if (found > mostReported) continue;
    log.report('invisible-character', {
      at: { offset: stretch.from + index },
      message: `The invisible character ${character} was found.`,
      fix: 'It was removed. Delete it from the file.',
    });
  }
  if (found > mostReported) {
    log.report('invisible-character', {
      at: { offset: stretch.to },
      message: `${found - mostReported} more invisible characters were found.`,
      fix: 'They were removed. Delete them from the file.',
    });
  }
}
