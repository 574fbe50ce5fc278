import { createHash } from 'node:crypto';
import type { BlobSink, Digest } from '@skillpack/core';
import { release, type Receiver } from './receiver.js';

/** A file that is passed on as it arrives, and hashed on the way: none of it is kept. */
export class PassedOnBytes implements Receiver {
  readonly #sink: BlobSink;
  #length = 0;
  #hash = createHash('sha256');

  constructor(sink: BlobSink) {
    this.#sink = sink;
  }

  get length(): number {
    return this.#length;
  }

  restart(): void {
    if (this.#length > 0) this.#sink.restart();
    this.#length = 0;
    this.#hash = createHash('sha256');
  }

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#length += chunk.length;
    this.#sink.write(chunk);
    release(chunk);
  }

  digest(): Digest {
    return `sha256:${this.#hash.digest('hex')}` as Digest; // Cast: 64 hexadecimal digits, as a digest is.
  }
}
