import { visibleLines } from '../errors/visible-text.js';
import { TextLines } from './text-lines.js';

const byteOrderMark = 3;

/** The text of a file, between its bytes and what a model is shown of it. */
export class FileText {
  /** As it lies there, without a byte order mark. */
  readonly text: string;
  readonly lines: TextLines;
  readonly #bytes: Uint8Array;
  readonly #skipped: number;

  private constructor(text: string, bytes: Uint8Array) {
    const marked = text.startsWith('\uFEFF');
    this.text = marked ? text.slice(1) : text;
    this.lines = new TextLines(this.text);
    this.#bytes = bytes;
    this.#skipped = marked ? byteOrderMark : 0;
  }

  /** `undefined` for what is not valid UTF-8 without NUL. */
  static of(bytes: Uint8Array): FileText | undefined {
    if (bytes.includes(0)) return undefined;
    try {
      return new FileText(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), bytes);
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }

  /** A part, cleaned for a prompt. Parts that are cut at offsets of this class make up the whole when put together. */
  visible(from: number, to: number): string {
    return visibleLines(this.text.slice(from, to));
  }

  /** The offset in the text of a byte, moved back to where its character begins. */
  offsetOf(byte: number): number {
    let at = Math.min(byte, this.#bytes.length);
    while (at > 0 && ((this.#bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
    const before = this.#bytes.subarray(this.#skipped, Math.max(at, this.#skipped));
    const offset = new TextDecoder('utf-8', { ignoreBOM: true }).decode(before).length;
    return this.#splitsLineEnd(offset) ? offset - 1 : offset;
  }

  /** The byte at which an offset of the text lies. */
  byteOf(offset: number): number {
    return this.#skipped + new TextEncoder().encode(this.text.slice(0, offset)).length;
  }

  /** The last offset up to which, from `from`, the cleaned text fits `length`; at least one character further. */
  fit(from: number, to: number, length: number): number {
    let at = from;
    for (let used = 0; at < to;) {
      const { step, cost } = this.#characterAt(at);
      used += cost;
      if (used > length && at > from) break;
      at += step;
    }
    return Math.min(at, to);
  }

  #characterAt(at: number): { readonly step: number; readonly cost: number } {
    const code = this.text.codePointAt(at) ?? 0;
    if (code === 0x0d) return { step: this.text.charCodeAt(at + 1) === 0x0a ? 2 : 1, cost: 1 };
    if (code === 0x0a || code === 0x09 || (code >= 0x20 && code < 0x7f)) return { step: 1, cost: 1 };
    const character = String.fromCodePoint(code);
    return { step: character.length, cost: visibleLines(character).length };
  }

  #splitsLineEnd(offset: number): boolean {
    return this.text.charCodeAt(offset - 1) === 0x0d && this.text.charCodeAt(offset) === 0x0a;
  }
}
