/** A text, by its lines. A line ends with `\n`, `\r\n` or `\r`; what follows the last of these is a line where it is not empty. */
export class TextLines {
  readonly text: string;
  /** How many lines there are. */
  readonly total: number;
  readonly #starts: number[] = [];

  constructor(text: string) {
    this.text = text;
    for (let start = 0; start < text.length; start = nextLine(text, start)) this.#starts.push(start);
    this.total = this.#starts.length;
  }

  /** Where a line begins, from 1; the end of the text beyond the last. */
  start(line: number): number {
    return this.#starts[line - 1] ?? this.text.length;
  }

  /** A line without its end. */
  at(line: number): string {
    return this.text.slice(this.start(line), this.start(line + 1)).replace(/\r?\n$|\r$/u, '');
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

function nextLine(text: string, from: number): number {
  lineEnd.lastIndex = from;
  return lineEnd.test(text) ? lineEnd.lastIndex : text.length;
}
