import { visibleText } from '@skillpack/core';

/** A text from outside as one line of at most so many characters, in which everything can be seen. */
export function shortLine(text: string, longest: number): string {
  // A line break is a space here, and what comes after the cut is not looked at.
  const line = visibleText(
    text
      .slice(0, longest * 8)
      .replaceAll(/\s+/gu, ' ')
      .trim(),
  );
  // Not through a character that is two UTF-16 code units.
  return line.length <= longest ? line : `${line.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
