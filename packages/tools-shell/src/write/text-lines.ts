/** The lines of a text, without their line breaks. What ends with one has no further line. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/u);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The line of a place in a text, from 1. */
export function lineAt(text: string, place: number): number {
  return (text.slice(0, place).match(/\r\n|\n|\r/gu)?.length ?? 0) + 1;
}

/** How many lines are others, from the first one to the last one that is. */
export interface LineChanges {
  /** From 1. */
  readonly first: number;
  readonly removed: number;
  readonly added: number;
}

/** Compares two texts line by line, with their line breaks. `undefined` where they are the same. */
export function compareLines(before: string, after: string): LineChanges | undefined {
  if (before === after) return undefined;
  const [old, now] = [wholeLinesOf(before), wholeLinesOf(after)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return { first: start + 1, removed: old.length - start - end, added: now.length - start - end };
}

function wholeLinesOf(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/gu) ?? [];
}
