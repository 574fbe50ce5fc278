/** At most `length` UTF-16 code units, never half a character; `…` says that something is missing. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

/** The beginning and the end of a text, and how much lies between; the text itself where that is not longer. */
export function headAndTail(text: string, lengths: { readonly head: number; readonly tail: number }): string {
  const { head, tail } = lengths;
  if (text.length <= head + tail + 60) return text;
  const start = text.slice(0, head).replace(/[\uD800-\uDBFF]$/u, '');
  const end = text.slice(text.length - tail).replace(/^[\uDC00-\uDFFF]/u, '');
  return `${start}\n[… ${text.length - start.length - end.length} characters left out …]\n${end}`;
}
