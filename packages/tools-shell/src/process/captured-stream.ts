import type { ScriptStream } from '@skillpack/core';

/** Takes what a program writes, and keeps the beginning and the end of it: never more than its limit, however much comes. */
export class CapturedStream {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  readonly #head: Uint8Array[] = [];
  #headSize = 0;
  /** A ring: the next byte goes where the oldest one is. */
  #tail: Uint8Array | undefined;
  #size = 0;

  /** @param maxBytes how much of it is kept. */
  constructor(maxBytes: number) {
    this.#headBytes = Math.ceil(maxBytes / 2);
    this.#tailBytes = maxBytes - this.#headBytes;
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    const forHead = chunk.subarray(0, this.#headBytes - this.#headSize);
    if (forHead.length > 0) {
      // A copy: a piece keeps the memory alive of which it is a part.
      this.#head.push(forHead.slice());
      this.#headSize += forHead.length;
    }
    if (forHead.length < chunk.length) this.#addToTail(chunk.subarray(forHead.length));
  }

  result(): ScriptStream {
    const behindHead = this.#size - this.#headSize;
    const tailSize = Math.min(behindHead, this.#tailBytes);
    const bytes = new Uint8Array(this.#headSize + tailSize);
    let filled = 0;
    for (const piece of this.#head) {
      bytes.set(piece, filled);
      filled += piece.length;
    }
    if (this.#tail !== undefined && tailSize > 0) {
      const start = behindHead > this.#tailBytes ? behindHead % this.#tailBytes : 0;
      const older = this.#tail.subarray(start, start + tailSize);
      bytes.set(older, filled);
      bytes.set(this.#tail.subarray(0, tailSize - older.length), filled + older.length);
    }
    const cut = bytes.length < this.#size ? this.#headSize : undefined;
    return { bytes, size: this.#size, ...(cut === undefined ? {} : { cut }) };
  }

  #addToTail(bytes: Uint8Array): void {
    if (this.#tailBytes === 0) return;
    this.#tail ??= new Uint8Array(this.#tailBytes);
    // Where the byte behind the head with this number belongs.
    const end = this.#size - this.#headSize;
    const last = bytes.subarray(Math.max(0, bytes.length - this.#tailBytes));
    const at = (end - last.length) % this.#tailBytes;
    const fits = last.subarray(0, this.#tailBytes - at);
    this.#tail.set(fits, at);
    this.#tail.set(last.subarray(fits.length), 0);
  }
}
