/** A piece of text where it stands on an upright page: points from the top left corner. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const maxColumns = 400;

/** Text as it stands on the page: lines from top to bottom, columns under each other as far as characters allow. */
export function layoutText(pieces: readonly PlacedText[]): string {
  const written = pieces.filter(({ text }) => text.trim() !== '');
  const advance = Math.max(median(written.map(({ text, width }) => width / text.length)), 1);
  return linesOf(written)
    .map((line) => setLine(line, advance))
    .join('\n');
}

function linesOf(pieces: readonly PlacedText[]): readonly (readonly PlacedText[])[] {
  const tolerance = Math.max(median(pieces.map(({ height }) => height)) / 2, 1);
  const lines: { readonly y: number; readonly pieces: PlacedText[] }[] = [];
  for (const piece of pieces.toSorted((a, b) => a.y - b.y)) {
    const line = lines.at(-1);
    if (line !== undefined && piece.y - line.y <= tolerance) line.pieces.push(piece);
    else lines.push({ y: piece.y, pieces: [piece] });
  }
  return lines.map((line) => line.pieces.toSorted((a, b) => a.x - b.x));
}

function setLine(pieces: readonly PlacedText[], advance: number): string {
  let line = '';
  let end = Number.NEGATIVE_INFINITY;
  for (const { text, x, width } of pieces) {
    const column = Math.min(Math.max(Math.round(x / advance), 0), maxColumns);
    const gap = x - end > advance * 0.3 ? 1 : 0;
    line += ' '.repeat(Math.max(column - line.length, line === '' ? 0 : gap)) + text;
    end = x + width;
  }
  return line.trimEnd();
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
