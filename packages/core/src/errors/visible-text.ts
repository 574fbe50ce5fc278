// Controls (C0, C1), bidirectional marks, overrides and isolates, fillers and other invisible ones, tags, supplementary
// variation selectors, and lone surrogates. ZWJ, ZWNJ and the variation selectors FE00 to FE0F stay: emoji and several
// scripts need them.
/** Every character that nobody can see, one a match. */
export const invisibleCharacters =
  // eslint-disable-next-line no-control-regex -- finding control characters is what it is for
  /[\u0000-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB]|[\u{13430}-\u{1343F}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]|\p{Surrogate}/gu;

// What nearly all text is: to look for everything else takes several times as long.
const printableAscii = /^[ -~]*$/u;

/**
 * Text from outside, made safe for one line of a terminal, a log or a prompt: each control, escape, bidirectional or
 * invisible character is shown as its code point (`<U+202E>`); a tab or a line break becomes one space.
 */
export function visibleText(text: string): string {
  if (printableAscii.test(text)) return text;
  return text.replace(/[\t\r\n]+/gu, ' ').replace(invisibleCharacters, showCodePoint);
}

/** As {@link visibleText}, but keeps line breaks (as `\n`) and tabs: for text that is meant to have several lines. */
export function visibleLines(text: string): string {
  if (printableAscii.test(text)) return text;
  return text
    .replace(/\r\n?/gu, '\n')
    .replace(invisibleCharacters, (character) =>
      character === '\n' || character === '\t' ? character : showCodePoint(character),
    );
}

/** A character as its code point: `<U+202E>`. */
export function showCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
