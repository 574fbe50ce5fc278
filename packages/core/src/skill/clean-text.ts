import { invisibleCharacters } from '../errors/visible-text.js';
import type { DiagnosticLog } from './diagnostic-log.js';

const lineSeparators = /[\u0085\u2028\u2029]/gu;
// The shared class holds tabs and line breaks too, which a text of several lines keeps.
const hidden = new RegExp(`(?![\\n\\t])(?:${invisibleCharacters.source})`, 'gu');
const mostReported = 20;
// Nearly all text is of these alone: ASCII, Latin, Greek, Cyrillic, punctuation, symbols, Chinese, Japanese and Korean.
// To rule out everything else by the classes of Unicode takes ten times as long.
const surelyVisible =
  /^[\n\t -~\u00A0-\u00AC\u00AE-\u034E\u0370-\u052F\u2010-\u2027\u2030-\u205E\u20A0-\u2BFF\u3000-\u3163\u3165-\u9FFF\uAC00-\uD7A3]*$/u;

/**
 * Whether nothing in a text is hidden, forbidden or a line break but `\n`, as far as that is quickly told: `false` may be
 * wrong, `true` never is.
 */
export function isSurelyVisible(text: string): boolean {
  return surelyVisible.test(text);
}

/** `text` without characters that nobody can see; tabs and line breaks stay, and every kind of line break is `\n`. */
export function cleanText(text: string): string {
  if (isSurelyVisible(text)) return text;
  return text.replaceAll(lineSeparators, '\n').replaceAll(hidden, '');
}

/** A stretch of the file, by offsets. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Reports the invisible characters of a stretch of the file: each of the first 20, then that there are more. */
export function reportInvisible(text: string, stretch: Stretch, log: DiagnosticLog): void {
  let found = 0;
  for (const { 0: character, index } of text.slice(stretch.from, stretch.to).matchAll(hidden)) {
    found += 1;
    const at = { offset: stretch.from + index };
    if (found > mostReported) {
      log.report('invisible-character', {
        at,
        message: 'More invisible characters follow.',
        fix: 'They were removed. Delete them from the file.',
      });
      return;
    }
    log.report('invisible-character', {
      at,
      message: `The invisible character ${character} was found.`,
      fix: 'It was removed. Delete it from the file.',
    });
  }
}
