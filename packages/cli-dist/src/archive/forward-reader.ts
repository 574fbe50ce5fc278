/** Ranges of a stream, asked for in ascending order; what lies between them is skipped. */
export class ForwardReader {
  readonly #source: AsyncIterator<Uint8Array, unknown>;
  #chunk: Uint8Array = new Uint8Array(0);
  /** Where {@link #chunk} begins. */
  #start = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The bytes from `offset` on, fewer when the stream ends before. Each range has to be read, or given up, before the next is. */
  async *range(offset: number, size: number): AsyncGenerator<Uint8Array, void> {
    if (offset < this.#start) throw new Error(`A range at ${offset} was asked for after ${this.#start} bytes.`);
    let at = offset;
    const end = offset + size;
    while (at < end) {
      const chunkEnd = this.#start + this.#chunk.length;
      if (at < chunkEnd) {
        const part = this.#chunk.subarray(at - this.#start, end - this.#start);
        at += part.length;
        yield part;
        continue;
      }
      const next = await this.#source.next();
      if (next.done === true) return;
      this.#start = chunkEnd;
      this.#chunk = next.value;
    }
  }

  /** Gives the source up. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
