/** At most `length` UTF-16 code units of a text, never half a character; `…` says that something is missing. */
export function shortText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
