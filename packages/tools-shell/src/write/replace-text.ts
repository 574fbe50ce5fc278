/** What of a text is replaced. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}

/** One stretch of a text, and what comes in its place. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What is to be changed, or why nothing is. */
export type ReplacePlan =
  | { readonly kind: 'changes'; readonly changes: readonly TextChange[] }
  /** Where it stands: nowhere, or at several places where one was meant. */
  | { readonly kind: 'mismatch'; readonly places: readonly number[] };

/** Places at which one text is replaced at a time. Of more, one more is told. */
export const mostPlaces = 10_000;

/**
 * Finds a text in another one, whatever their line breaks are, and plans what comes in its place, with the line breaks
 * that are there. Without `all` it has to stand just once.
 */
export function planReplacement(text: string, { oldText, newText, all }: Replacement): ReplacePlan {
  const lines = new PlainLines(text);
  const sought = plainBreaks(oldText);
  const places = placesOf(lines.text, sought, all ? sought.length : 1);
  if (places.length === 0 || places.length > (all ? mostPlaces : 1)) {
    return { kind: 'mismatch', places: places.map(lines.placeOf) };
  }
  const breakAt = lineBreaksOf(text);
  // There are few kinds of line breaks, and a long text may come in many places: each has the same one.
  const texts = new Map<string | undefined, string>();
  const textWith = (lineBreak: string | undefined): string => {
    const made = texts.get(lineBreak) ?? withBreaks(newText, lineBreak);
    texts.set(lineBreak, made);
    return made;
  };
  const changes = places.map((place) => {
    const [start, end] = [lines.placeOf(place), lines.placeOf(place + sought.length)];
    return { start, end, text: textWith(breakAt(start)) };
  });
  return { kind: 'changes', changes };
}

/** How many characters a text has with its changes. */
export function lengthChanged(text: string, changes: readonly TextChange[]): number {
  let { length } = text;
  for (const { start, end, text: replaced } of changes) length += replaced.length - (end - start);
  return length;
}

/** A text with its changes, which follow one another. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text: replaced } of changes) {
    parts.push(text.slice(from, start), replaced);
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** A text in which every line break is `\n`, and where each of its characters stands in the text itself. */
class PlainLines {
  readonly text: string;
  /** Where a character was left out, by its place in the plain text. */
  readonly #leftOut: readonly number[];

  constructor(text: string) {
    this.text = plainBreaks(text);
    const leftOut: number[] = [];
    for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) leftOut.push(at - leftOut.length);
    this.#leftOut = leftOut;
  }

  readonly placeOf = (place: number): number => {
    let [low, high] = [0, this.#leftOut.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#leftOut[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return place + low;
  };
}

function plainBreaks(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/gu, '\n') : text;
}

function placesOf(text: string, sought: string, step: number): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(sought); at !== -1 && places.length <= mostPlaces; at = text.indexOf(sought, at + step)) {
    places.push(at);
  }
  return places;
}

/** The line breaks of a text: those that end the lines at ascending places, or else the last one. */
function lineBreaksOf(text: string): (place: number) => string | undefined {
  const pattern = /\r\n|\n|\r/gu;
  let next: RegExpExecArray | null | undefined;
  let last: string | undefined;
  return (place) => {
    while (next === undefined || (next !== null && next.index < place)) {
      last = next?.[0] ?? last;
      next = pattern.exec(text);
    }
    return next?.[0] ?? last;
  };
}

function withBreaks(text: string, lineBreak: string | undefined): string {
  return lineBreak === undefined ? text : text.replaceAll(/\r\n|\r|\n/gu, lineBreak);
}
