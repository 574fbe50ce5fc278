/** A text, by its lines. A line ends with `\n`, `\r\n` or `\r`; what follows the last of these is a line where it is not empty. */
export class TextLines {
  readonly text: string;
  /** How many lines there are. */
  readonly total: number;
  readonly #starts: number[] = [];

  constructor(text: string) {
    this.text = text;
    const next = text.includes('\r') ? afterAnyLineEnd : afterNewline;
    for (let start = 0; start < text.length; start = next(text, start)) this.#starts.push(start);
    this.total = this.#starts.length;
  }

  /** Where a line begins, from 1; the end of the text beyond the last. */
  start(line: number): number {
    return this.#starts[line - 1] ?? this.text.length;
  }

  /** A line without its end. */
  at(line: number): string {
    const start = this.start(line);
    let end = this.start(line + 1);
    if (end > start && this.text.charCodeAt(end - 1) === 0x0a) end -= 1;
    if (end > start && this.text.charCodeAt(end - 1) === 0x0d) end -= 1;
    return this.text.slice(start, end);
  }

  /** How many lines end at or before an offset. */
  endedBefore(offset: number): number {
    let low = 0;
    let high = this.total;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.start(middle + 1) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const lineEnd = /\r\n?|\n/gu;

function afterAnyLineEnd(text: string, from: number): number {
  lineEnd.lastIndex = from;
  return lineEnd.test(text) ? lineEnd.lastIndex : text.length;
}

function afterNewline(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline + 1;
}
