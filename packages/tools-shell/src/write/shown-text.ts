/** A stretch of a text that is told as it is. */
export interface ShownPart {
  /** Where it begins in what is told. */
  readonly start: number;
  readonly length: number;
  /** Where it begins in the text itself. */
  readonly source: number;
}

/** What is told of a text, and which of it stands in both. */
export interface ShownText {
  readonly text: string;
  readonly parts: readonly ShownPart[];
}

/** Secrets of a text between which something is looked for; where there are more, only before and behind them. */
const mostSecrets = 2_000;

/** What stands in the place of a secret. */
const mark = /\[redacted:[a-z-]+\]/gu;

/** The marks in a text, each once. */
export function marksIn(text: string): ReadonlySet<string> {
  return new Set(text.match(mark));
}

/**
 * A text as a model is told of it, with the stretches before, between and after its secrets. Where a stretch lies in the
 * text itself is looked for from its beginning and, for the last one, from its end: a stretch that also stands within a
 * secret may be taken for that, so that whoever goes by it has to look at what comes of it.
 */
export function showText(source: string, redact: (text: string) => string): ShownText {
  const text = redact(source);
  if (text === source) return { text, parts: [{ start: 0, length: text.length, source: 0 }] };
  const marks = [...text.matchAll(mark)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }));
  const starts = [0, ...marks.map(({ end }) => end)];
  const ends = [...marks.map(({ start }) => start), text.length];
  const parts: ShownPart[] = [];
  let from = 0;
  for (const [index, start] of starts.entries()) {
    const last = index === starts.length - 1;
    // What is not found is looked for in all the rest.
    if (index > 0 && !last && marks.length > mostSecrets) continue;
    const piece = text.slice(start, ends[index]);
    const at = last ? source.length - piece.length : source.indexOf(piece, from);
    const there = at >= from && source.startsWith(piece, at) && (index > 0 || at === 0);
    if (there && piece !== '') parts.push({ start, length: piece.length, source: at });
    // A secret has at least one character.
    if (there) from = at + piece.length + 1;
  }
  return { text, parts };
}

/** Where a stretch of what is told lies in the text itself. `undefined` where a secret is in it. */
export function sourceOf({ parts }: ShownText, start: number, end: number): number | undefined {
  const part = parts.find((candidate) => candidate.start <= start && end <= candidate.start + candidate.length);
  return part === undefined ? undefined : part.source + start - part.start;
}
