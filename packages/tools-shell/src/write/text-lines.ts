/** The lines of a text, or the first ones, without their line breaks. What ends with one has no further line. */
export function linesOf(text: string, most: number = 2 ** 31): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/u, most + 1);
  return lines.length > most || lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** How many lines a stretch of a text has, which begins with one of them. */
export function countLines(text: string, start: number = 0, end: number = text.length): number {
  let lines = 0;
  let from = start;
  // By hand: of what is a line break and nothing else, a list of lines takes seconds and hundreds of megabytes.
  for (let at = start; at < end; at += 1) {
    if (!endsLine(text, at)) continue;
    lines += 1;
    from = at + 1;
  }
  return from < end ? lines + 1 : lines;
}

/** The line of a place in a text, from 1. */
export function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = 0; at < place; at += 1) if (endsLine(text, at)) line += 1;
  return line;
}

/** Whether a character is the last one of a line break. */
function endsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === lineFeed || (code === carriageReturn && text.charCodeAt(at + 1) !== lineFeed);
}

const lineFeed = 10;
const carriageReturn = 13;

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
  const start = linesAlike(before, after);
  const alike = endAlike(before, after, start);
  return {
    first: countLines(before, 0, start) + 1,
    removed: countLines(before, start, before.length - alike),
    added: countLines(after, start, after.length - alike),
  };
}

/** How many characters at the beginning are whole lines of both. */
function linesAlike(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let lines = 0;
  for (let at = 0; at < most && left.charCodeAt(at) === right.charCodeAt(at); at += 1) {
    if (endsLine(left, at) && endsLine(right, at)) lines = at + 1;
  }
  return lines;
}

/** How many characters at the end are whole lines of both, but for those before `start`. */
function endAlike(left: string, right: string, start: number): number {
  const most = Math.min(left.length, right.length) - start;
  let lines = 0;
  for (let length = 0; length <= most; length += 1) {
    const [inLeft, inRight] = [left.length - length, right.length - length];
    if (length > 0 && left.charCodeAt(inLeft) !== right.charCodeAt(inRight)) break;
    if (beginsLine(left, inLeft) && beginsLine(right, inRight)) lines = length;
  }
  return lines;
}

function beginsLine(text: string, at: number): boolean {
  return at === 0 || endsLine(text, at - 1);
}
