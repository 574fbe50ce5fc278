import type { ArchiveBytes } from './archive-bytes.js';

/** What the blocks in any run of {@link windowBytes} compressed bytes may cost a decoder, in empty blocks. */
const maxCost = 8_192;
const windowBytes = 64 * 1024;
/** What is looked at in one go. */
const seenBytes = 256 * 1024;
/** Of a block that describes a code table of its own. */
const tableCost = 16;

/**
 * Whether data that inflate (RFC 1951) hold blocks that do little but describe code tables: each costs a decoder about
 * a microsecond, and may have eleven bytes. An honest compressor describes a table only for a block that is long enough
 * to win back what it takes; here one block for 128 bytes is still honest, and one of another kind for 8.
 *
 * It decodes the symbols and makes nothing of them, at some 10 ns for a compressed byte. Data that do not inflate are
 * judged up to there.
 */
export function hasLeanBlocks(data: ArchiveBytes, start = 0): boolean {
  const walker = new BlockWalker(data, start);
  let windowStart = start;
  let cost = 0;
  for (;;) {
    const block = walker.next();
    if (block === undefined) return false;
    if (walker.position - windowStart >= windowBytes) {
      windowStart = walker.position;
      cost = 0;
    }
    cost += block === 'dynamic' ? tableCost : 1;
    if (cost > maxCost) return true;
  }
}

/** For a symbol of the first 256 codes nothing more is read; for a length, these many bits. Source: RFC 1951, 3.2.5. */
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
// Source: RFC 1951, 3.2.7.
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const endOfBlock = 256;
const maxCodeLength = 15;
const quickBits = 10;

/** A canonical code (RFC 1951, 3.2.2): short ones by a table, longer ones by counting. */
class CodeTable {
  /** By the next bits: symbol times 16 plus length; 0 for a longer code or none. */
  readonly #quick = new Uint16Array(1 << quickBits);
  readonly #counts = new Uint16Array(maxCodeLength + 1);
  readonly #symbols = new Uint16Array(320);

  /** Makes it the code of these lengths. */
  fill(lengths: Uint8Array): this {
    this.#quick.fill(0);
    this.#counts.fill(0);
    for (const length of lengths) if (length > 0) this.#counts[length] = (this.#counts[length] ?? 0) + 1;
    const offsets = new Uint16Array(maxCodeLength + 2);
    const codes = new Uint16Array(maxCodeLength + 2);
    for (let length = 1; length <= maxCodeLength; length += 1) {
      const count = this.#counts[length] ?? 0;
      offsets[length + 1] = (offsets[length] ?? 0) + count;
      codes[length + 1] = ((codes[length] ?? 0) + count) << 1;
    }
    for (const [symbol, length] of lengths.entries()) {
      if (length === 0) continue;
      this.#symbols[(offsets[length] = (offsets[length] ?? 0) + 1) - 1] = symbol;
      const code = (codes[length] = (codes[length] ?? 0) + 1) - 1;
      if (length > quickBits) continue;
      const step = 1 << length;
      for (let at = reversed(code, length); at < 1 << quickBits; at += step) this.#quick[at] = symbol * 16 + length;
    }
    return this;
  }

  /** The code at the beginning of these bits as symbol times 16 plus length; 0 when there is none. */
  find(bits: number): number {
    const quick = this.#quick[bits & ((1 << quickBits) - 1)] ?? 0;
    return quick === 0 ? this.#findLong(bits) : quick;
  }

  #findLong(bits: number): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= maxCodeLength; length += 1) {
      code |= (bits >>> (length - 1)) & 1;
      const count = this.#counts[length] ?? 0;
      if (code - count < first) return (this.#symbols[index + code - first] ?? 0) * 16 + length;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return 0;
  }
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit += 1) result |= ((code >>> bit) & 1) << (length - 1 - bit);
  return result;
}

/** Of blocks without tables of their own (RFC 1951, 3.2.6). */
const fixedLiterals = new CodeTable().fill(
  Uint8Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)),
);
const fixedDistances = new CodeTable().fill(new Uint8Array(30).fill(5));

/** Goes from block to block. */
class BlockWalker {
  readonly #data: ArchiveBytes;
  readonly #length: number;
  /** Bytes of it, where they begin, and the next one of them. */
  #seen: Uint8Array = new Uint8Array(0);
  #seenFrom: number;
  #at = 0;
  #bits = 0;
  #count = 0;
  #last = false;
  readonly #lengths = new Uint8Array(320);
  readonly #codeLengths = new CodeTable();
  readonly #literals = new CodeTable();
  readonly #distances = new CodeTable();

  constructor(data: ArchiveBytes, start: number) {
    this.#data = data;
    this.#length = data.length;
    this.#seenFrom = start;
  }

  /** Of the next byte that is read. */
  get position(): number {
    return this.#seenFrom + this.#at;
  }

  /** Goes over one block. @returns its kind; `undefined` at the end, and where the data do not inflate. */
  next(): 'stored' | 'fixed' | 'dynamic' | undefined {
    if (this.#last || this.position >= this.#length) return undefined;
    this.#last = this.#take(1) === 1;
    const type = this.#take(2);
    if (type === 0) return this.#skipStored() ? 'stored' : undefined;
    if (type === 1) return this.#skipSymbols(fixedLiterals, fixedDistances) ? 'fixed' : undefined;
    const read = type === 2 && this.#readTables() && this.#skipSymbols(this.#literals, this.#distances);
    return read ? 'dynamic' : undefined;
  }

  /** Up to 16 bits; zeros behind the end. */
  #take(width: number): number {
    this.#fill();
    const value = this.#bits & ((1 << width) - 1);
    this.#drop(width);
    return value;
  }

  #fill(): void {
    while (this.#count <= 16) {
      if (this.#at >= this.#seen.length) this.#look();
      this.#bits |= (this.#seen[this.#at] ?? 0) << this.#count;
      this.#at += 1;
      this.#count += 8;
    }
  }

  /** Goes on to the bytes from the next one on; there are none behind the end. */
  #look(): void {
    this.#seenFrom += this.#at;
    this.#at = 0;
    this.#seen = this.#data.glance(this.#seenFrom, this.#seenFrom + seenBytes);
  }

  #drop(width: number): void {
    this.#bits >>>= width;
    this.#count -= width;
  }

  #skipStored(): boolean {
    this.#at -= this.#count >>> 3;
    this.#bits = 0;
    this.#count = 0;
    if (this.#at < 0 || this.#at + 1 >= this.#seen.length) this.#look();
    const length = (this.#seen[this.#at] ?? 0) | ((this.#seen[this.#at + 1] ?? 0) << 8);
    this.#at += 4 + length;
    return this.position <= this.#length;
  }

  #readTables(): boolean {
    const literals = this.#take(5) + 257;
    const distances = this.#take(5) + 1;
    const codes = this.#take(4) + 4;
    const lengths = this.#lengths;
    lengths.fill(0, 0, 19);
    for (const symbol of codeLengthOrder.slice(0, codes)) lengths[symbol] = this.#take(3);
    this.#codeLengths.fill(lengths.subarray(0, 19));
    const total = literals + distances;
    for (let at = 0; at < total;) {
      const symbol = this.#symbol(this.#codeLengths);
      if (symbol === undefined) return false;
      let [length, times] = [symbol, 1];
      if (symbol === 16) [length, times] = [at === 0 ? 0 : (lengths[at - 1] ?? 0), 3 + this.#take(2)];
      else if (symbol === 17) [length, times] = [0, 3 + this.#take(3)];
      else if (symbol === 18) [length, times] = [0, 11 + this.#take(7)];
      if (at + times > total) return false;
      lengths.fill(length, at, at + times);
      at += times;
    }
    this.#literals.fill(lengths.subarray(0, literals));
    this.#distances.fill(lengths.subarray(literals, total));
    return true;
  }

  #symbol(table: CodeTable): number | undefined {
    this.#fill();
    const found = table.find(this.#bits);
    this.#drop(found & 15);
    return found === 0 ? undefined : found >>> 4;
  }

  #skipSymbols(literals: CodeTable, distances: CodeTable): boolean {
    for (;;) {
      const symbol = this.#symbol(literals);
      if (symbol === endOfBlock) return true;
      // The bits that were read ahead belong to it: four bytes more than there are is the end.
      if (symbol === undefined || this.position > this.#length + 4) return false;
      if (symbol < endOfBlock) continue;
      this.#take(lengthBits[symbol - 257] ?? 0);
      const distance = this.#symbol(distances);
      if (distance === undefined) return false;
      this.#take(distance < 4 ? 0 : (distance >>> 1) - 1);
    }
  }
}
