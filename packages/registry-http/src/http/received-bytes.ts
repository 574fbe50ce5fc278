import { createHash, hash, type Hash } from 'node:crypto';
import type { Digest } from '@skillpack/core';
import { release, type Receiver } from './receiver.js';

/** Below this, one call at the end is faster than one for each piece. In bytes. */
const hashedAtOnce = 1024 * 1024;

/** A file as it arrives: kept in one place from the start, and hashed on the way when it is large. */
export class ReceivedBytes implements Receiver {
  #buffer = Buffer.alloc(0);
  #length = 0;
  #hash: Hash | undefined;

  get length(): number {
    return this.#length;
  }

  restart(expected: number): void {
    // Memory is only taken for what arrives, whatever was announced.
    this.#buffer = Buffer.allocUnsafeSlow(expected);
    this.#length = 0;
    this.#hash = expected > hashedAtOnce ? createHash('sha256') : undefined;
  }

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

  /** All that has arrived. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  digest(): Digest {
    const hex = this.#hash?.digest('hex') ?? hash('sha256', this.bytes, 'hex');
    return `sha256:${hex}` as Digest; // Cast: 64 hexadecimal digits, as a digest is.
  }
}
