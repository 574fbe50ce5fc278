/** What is counted in documents: words, or pieces of text as numbers. */
export type Term = string | number;

/** Which documents hold a term, and what it is worth in each. */
export interface PostingIndex {
  /** Adds to the score of each document a share of what the terms it holds are worth in it together (BM25). */
  addScores(terms: ReadonlySet<Term>, scores: Float64Array, share?: number): void;
}

/** Collects the terms of documents, one document after another. */
export interface PostingBuilder {
  /** Adds a term to the newest document, as often as the weight says. */
  add(term: Term, weight: number): void;
  /** Ends the newest document and begins the next. */
  next(): void;
  build(): PostingIndex;
}

// The usual constants of BM25: a term that is repeated counts ever less, and a long document holds more of everything.
const saturation = 1.2;
const lengthShare = 0.75;

/** Terms that documents hold; one place of each list a posting. */
interface Postings {
  readonly terms: Uint32Array;
  readonly documents: Uint32Array;
  readonly weights: Float32Array;
}

/** Begins an index. */
export function createPostings(): PostingBuilder {
  const ids = new Map<Term, number>();
  // Where a term was last added, so that a document has one posting a term.
  const last: number[] = [];
  const lengths: number[] = [];
  let postings = withRoom(1_024);
  let size = 0;
  let length = 0;
  return {
    add(term, weight) {
      const id = ids.get(term) ?? ids.size;
      if (id === ids.size) ids.set(term, id);
      length += weight;
      const place = last[id] ?? -1;
      if (place >= 0 && postings.documents[place] === lengths.length) {
        postings.weights[place] = (postings.weights[place] ?? 0) + weight;
        return;
      }
      if (size === postings.terms.length) postings = withRoom(2 * size, postings);
      last[id] = size;
      postings.terms[size] = id;
      postings.documents[size] = lengths.length;
      postings.weights[size] = weight;
      size += 1;
    },
    next() {
      lengths.push(length);
      length = 0;
    },
    build: () => postingIndex(ids, { postings, size, lengths }),
  };
}

function withRoom(size: number, before?: Postings): Postings {
  const postings = {
    terms: new Uint32Array(size),
    documents: new Uint32Array(size),
    weights: new Float32Array(size),
  };
  if (before !== undefined) {
    postings.terms.set(before.terms);
    postings.documents.set(before.documents);
    postings.weights.set(before.weights);
  }
  return postings;
}

interface Collected {
  readonly postings: Postings;
  readonly size: number;
  readonly lengths: readonly number[];
}

/** Lays the postings of a term side by side, and works out once what each is worth. */
function postingIndex(ids: ReadonlyMap<Term, number>, { postings, size, lengths }: Collected): PostingIndex {
  const starts = startsOf(postings.terms.subarray(0, size), ids.size);
  const free = starts.slice();
  const holders = new Uint32Array(size);
  const worths = new Float32Array(size);
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  for (let at = 0; at < size; at += 1) {
    const id = postings.terms[at] ?? 0;
    const document = postings.documents[at] ?? 0;
    const weight = postings.weights[at] ?? 0;
    const place = free[id] ?? 0;
    free[id] = place + 1;
    const held = (starts[id + 1] ?? 0) - (starts[id] ?? 0);
    const rarity = Math.log(1 + (lengths.length - held + 0.5) / (held + 0.5));
    const length = 1 - lengthShare + (lengthShare * (lengths[document] ?? 0)) / average;
    holders[place] = document;
    worths[place] = (rarity * weight * (saturation + 1)) / (weight + saturation * length);
  }
  return {
    addScores(terms, scores, share = 1) {
      for (const term of terms) {
        const id = ids.get(term);
        if (id === undefined) continue;
        const end = starts[id + 1] ?? 0;
        for (let at = starts[id] ?? end; at < end; at += 1) {
          const holder = holders[at] ?? 0;
          scores[holder] = (scores[holder] ?? 0) + share * (worths[at] ?? 0);
        }
      }
    },
  };
}

/** Where the postings of each term begin, and where the last ones end. */
function startsOf(terms: Uint32Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (const id of terms) starts[id + 1] = (starts[id + 1] ?? 0) + 1;
  for (let id = 0; id < count; id += 1) starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0);
  return starts;
}
