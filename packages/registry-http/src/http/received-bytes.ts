import { createHash, hash, type Hash } from 'node:crypto';
import type { Digest } from '@skillpack/core';

/** Below this, one call at the end is faster than one for each piece. In bytes. */
const hashedAtOnce = 1024 * 1024;

/** A file as it arrives: kept in one place from the start, and hashed on the way when it is large. */
export class ReceivedBytes {
  #buffer: Buffer;
  #length = 0;
  readonly #hash: Hash | undefined;

  /** @param expected what is announced, in bytes; need not be true. */
  constructor(expected: number) {
    // Memory is only taken for what arrives, whatever was announced.
    this.#buffer = Buffer.allocUnsafeSlow(expected);
    this.#hash = expected > hashedAtOnce ? createHash('sha256') : undefined;
  }

  get length(): number {
    return this.#length;
  }

  /** Takes a piece over: nobody else may look at it any more. */
  add(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
    this.#hash?.update(chunk);
    release(chunk);
  }

  /** All of it, and its SHA-256. To be called once. */
  finish(): { readonly bytes: Uint8Array; readonly digest: Digest } {
    const bytes = this.#buffer.subarray(0, this.#length);
    const hex = this.#hash?.digest('hex') ?? hash('sha256', bytes, 'hex');
    return { bytes, digest: `sha256:${hex}` as Digest }; // Cast: 64 hexadecimal digits, as a digest is.
  }
}

/** Frees the memory of a piece that has a buffer of its own: garbage would pile up to as much again as the file has. */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}
