// Up to the surrogates, of which two make a character.
const oneUnitEach = /^[ -\uD7FF]*$/u;

/** A text of at most `length` code points; the last one is “…” where something was cut. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  // A code point has two units at most.
  const beginning = text.slice(0, 2 * length + 2);
  if (oneUnitEach.test(beginning)) return `${text.slice(0, length - 1).trimEnd()}…`;
  const characters = Array.from(beginning);
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}
