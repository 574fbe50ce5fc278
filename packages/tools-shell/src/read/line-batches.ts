/** Lines of a text that follow one another. */
export interface LineBatch {
  /** How many lines stand before them. */
  readonly before: number;
  readonly lines: readonly string[];
}

/** UTF-16 code units: what is divided into lines at once takes no time that anybody notices. */
const batchLength = 64 * 1024;
const lineBreak = /\r\n|\n|\r/gu;

/** The lines of a text, as many at a time as do not keep others waiting; a longer line comes alone or at the end of some. */
export function* lineBatches(text: string): Generator<LineBatch> {
  let before = 0;
  for (let start = 0; start <= text.length;) {
    lineBreak.lastIndex = start + batchLength;
    // Not between the two characters of one line break.
    if (text[lineBreak.lastIndex] === '\n' && text[lineBreak.lastIndex - 1] === '\r') lineBreak.lastIndex -= 1;
    const end = lineBreak.exec(text);
    const lines = text.slice(start, end?.index).split(lineBreak);
    yield { before, lines };
    if (end === null) return;
    before += lines.length;
    start = end.index + end[0].length;
  }
}
