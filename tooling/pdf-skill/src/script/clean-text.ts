// C0 but tab and newline, DEL and C1; bidirectional embeddings, overrides and isolates; byte order marks, invisible
// separators and operators; lone surrogates; the tag characters, in which text can be hidden from a reader's eyes.
const unwanted = /(?![\t\n])\p{Cc}|[\u202A-\u202E\u2060-\u206F\u200B\uFEFF\uFFF9-\uFFFB\p{Cs}]|[\u{E0000}-\u{E007F}]/gu;

/** Text out of a document without what could steer a terminal or hide from a reader. Line ends become `\n`. */
export function cleanText(text: string): string {
  return text.replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/gu, '\n').replaceAll(unwanted, '');
}

/** The same for a value that has to stay on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/gu, ' ').trim();
}
