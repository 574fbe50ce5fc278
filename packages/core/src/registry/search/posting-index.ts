import { sortPostings } from './sort-postings.js';

/** Which documents hold a term, and what it is worth in each. */
export interface PostingIndex {
  /** Adds to the score of each document a share of what the terms it holds are worth in it together (BM25). */
  addScores(terms: Iterable<number>, scores: Float64Array, share?: number): void;
}

// Of BM25, within what is usual: a term that is repeated counts ever less, and a long document holds more of everything.
const saturation = 2;
const lengthShare = 0.75;
const firstRoom = 4_096;
const mostRoom = 262_144;

/** Collects the terms of documents, one document after another. */
export class PostingBuilder {
  readonly #chunks: Uint32Array[] = [];
  readonly #lengths: number[] = [];
  #chunk = new Uint32Array(firstRoom);
  #size = 0;
  #length = 0;

  /** Adds a term to the newest document, as often as `halves` says: 1 is half a time, 7 the most. */
  readonly add = (term: number, halves: number): void => {
    if (this.#size === this.#chunk.length) this.#grow();
    this.#chunk[this.#size] = term;
    this.#chunk[this.#size + 1] = this.#lengths.length * 8 + halves;
    this.#size += 2;
    this.#length += halves;
  };

  /** Ends the newest document and begins the next. */
  next(): void {
    this.#lengths.push(this.#length);
    this.#length = 0;
  }

  /** Ends the index, in steps of a few milliseconds. The builder is empty then. */
  *build(): Generator<void, PostingIndex> {
    const { terms, starts, holders, halves } = yield* sortPostings(this.#takeChunks(), this.#lengths.length);
    const norms = normsOf(this.#lengths);
    return {
      addScores(wanted, scores, share = 1) {
        for (const term of wanted) {
          const place = placeOf(term, terms);
          const start = starts[place] ?? 0;
          const end = starts[place + 1] ?? start;
          const held = end - start;
          const rarity = Math.log(1 + (norms.length - held + 0.5) / (held + 0.5));
          const most = share * rarity * (saturation + 1);
          for (let at = start; at < end; at += 1) {
            const holder = holders[at] ?? 0;
            const times = halves[at] ?? 0;
            scores[holder] = (scores[holder] ?? 0) + (most * times) / (times + (norms[holder] ?? 0));
          }
        }
      },
    };
  }

  #grow(): void {
    this.#chunks.push(this.#chunk);
    this.#chunk = new Uint32Array(Math.min(2 * this.#chunk.length, mostRoom));
    this.#size = 0;
  }

  #takeChunks(): Uint32Array[] {
    const chunks = [...this.#chunks.splice(0), this.#chunk.subarray(0, this.#size)];
    this.#chunk = new Uint32Array(0);
    this.#size = 0;
    return chunks;
  }
}

/** How much each document slows what its terms are worth, in halves as terms are counted. */
function normsOf(lengths: readonly number[]): Float64Array {
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return Float64Array.from(lengths, (length) => 2 * saturation * (1 - lengthShare + (lengthShare * length) / average));
}

/** Where a term stands in a sorted list; behind its end, where it is not in it. */
function placeOf(term: number, terms: Uint32Array): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((terms[middle] ?? 0) < term) low = middle + 1;
    else high = middle;
  }
  return terms[low] === term ? low : terms.length;
}
