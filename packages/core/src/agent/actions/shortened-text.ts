/**
 * The beginning and the end of a text that is too long, with a line between them that says what is missing and where it
 * is. A text that was shortened is short enough: it stays as it is.
 */
export function shortenedText(
  text: string,
  options: { readonly length: number; readonly keptAs: string },
): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= options.length) return { text, truncated: false };
  const note = `\n… ${text.length} characters in all; the whole is in the record as ${options.keptAs} …\n`;
  const side = Math.max(Math.floor((options.length - note.length) / 2), 0);
  const head = text.slice(0, side).toWellFormed();
  const tail = text.slice(text.length - side).toWellFormed();
  return { text: `${head}${note}${tail}`, truncated: true };
}
