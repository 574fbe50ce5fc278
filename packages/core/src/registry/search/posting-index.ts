/** Which documents hold a term, and how much of it. */
export interface PostingIndex {
  /** Adds to the score of each document what each of the terms is worth in it (BM25). Unknown terms are worth nothing. */
  score(terms: Iterable<number>, scores: Float64Array): void;
}

/** Collects the terms of documents, one document after another. */
export interface PostingBuilder {
  /** Adds a term, a number from 0 that is not much larger than how many there are, to the newest document. */
  add(term: number, weight: number): void;
  /** Begins the next document. */
  next(): void;
  build(): PostingIndex;
}

// The usual constants: a term that is repeated counts ever less, and long documents have more of everything.
const saturation = 1.2;
const lengthShare = 0.75;

/** Begins an index. */
export function createPostings(): PostingBuilder {
  const terms: number[] = [];
  const documents: number[] = [];
  const weights: number[] = [];
  // Where a term was last added, so that a document has one posting a term.
  const last: number[] = [];
  const lengths: number[] = [0];
  return {
    add(term, weight) {
      const document = lengths.length - 1;
      const place = last[term];
      lengths[document] = (lengths[document] ?? 0) + weight;
      if (place !== undefined && documents[place] === document) {
        weights[place] = (weights[place] ?? 0) + weight;
        return;
      }
      while (last.length < term) last.push(-1);
      last[term] = terms.length;
      terms.push(term);
      documents.push(document);
      weights.push(weight);
    },
    next() {
      lengths.push(0);
    },
    build() {
      lengths.pop();
      return postingIndex({ terms, documents, weights, lengths, termCount: last.length });
    },
  };
}

interface Collected {
  readonly terms: readonly number[];
  readonly documents: readonly number[];
  readonly weights: readonly number[];
  readonly lengths: readonly number[];
  readonly termCount: number;
}

function postingIndex({ terms, documents, weights, lengths, termCount }: Collected): PostingIndex {
  const starts = new Uint32Array(termCount + 1);
  for (const term of terms) starts[term + 1] = (starts[term + 1] ?? 0) + 1;
  for (let term = 0; term < termCount; term += 1) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  const free = starts.slice();
  const holders = new Uint32Array(terms.length);
  const worths = new Float32Array(terms.length);
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(lengths.length, 1);
  for (let at = 0; at < terms.length; at += 1) {
    const term = terms[at] ?? 0;
    const document = documents[at] ?? 0;
    const weight = weights[at] ?? 0;
    const place = free[term] ?? 0;
    free[term] = place + 1;
    holders[place] = document;
    const held = (starts[term + 1] ?? 0) - (starts[term] ?? 0);
    const rarity = Math.log(1 + (lengths.length - held + 0.5) / (held + 0.5));
    const length = 1 - lengthShare + (lengthShare * (lengths[document] ?? 0)) / average;
    worths[place] = (rarity * weight * (saturation + 1)) / (weight + saturation * length);
  }
  return {
    score(wanted, scores) {
      for (const term of wanted) {
        const end = starts[term + 1] ?? 0;
        for (let at = starts[term] ?? end; at < end; at += 1) {
          const holder = holders[at] ?? 0;
          scores[holder] = (scores[holder] ?? 0) + (worths[at] ?? 0);
        }
      }
    },
  };
}
