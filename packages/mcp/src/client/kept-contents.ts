import type { Digest } from '@skillpack/core';

/** Files by digest, those that were asked for last, up to a number of bytes. */
export class KeptContents {
  readonly #mostBytes: number;
  readonly #contents = new Map<Digest, Uint8Array>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get(digest: Digest): Uint8Array | undefined {
    return this.#contents.get(digest);
  }

  /** Keeps a file, or counts it as asked for now. */
  keep(digest: Digest, bytes: Uint8Array): void {
    this.#drop(digest);
    if (bytes.length > this.#mostBytes) return;
    this.#contents.set(digest, bytes);
    this.#bytes += bytes.length;
    for (const oldest of this.#contents.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(digest: Digest): void {
    this.#bytes -= this.#contents.get(digest)?.length ?? 0;
    this.#contents.delete(digest);
  }
}
