/** A text of at most `length` code points; the last one is “…” where something was cut. */
export function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}
