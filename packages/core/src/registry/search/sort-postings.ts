/** The documents that hold each term. */
export interface SortedPostings {
  /** In order. */
  readonly terms: Uint32Array;
  /** Where the documents of each term begin, and where the last ones end. */
  readonly starts: Uint32Array;
  /** In order of terms, then of documents. */
  readonly holders: Uint16Array | Uint32Array;
  /** How often each of them holds the term, in halves. More than 127 times is 127 times and a half. */
  readonly halves: Uint8Array;
}

// Three digits make 30 bits.
const digitBits = 10;
const digits = 1 << digitBits;
const passes = 3;
const sliceLength = 262_144;

/**
 * Sorts pairs of a term (30 bits), and of a document times 8 and halves. By digits, since that takes the same time
 * whatever the terms are, and nobody can choose terms that make it slow. The chunks are emptied.
 */
export function* sortPostings(chunks: Uint32Array[], documents: number): Generator<void, SortedPostings> {
  const places = yield* placesOf(chunks);
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  let sorted = new Uint32Array(length);
  for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
    scatter({ from: chunk, to: sorted }, places, 0);
    yield;
  }
  let other = new Uint32Array(length);
  for (let pass = 1; pass < passes; pass += 1) {
    for (const from of slicesOf(sorted)) {
      scatter({ from, to: other }, places, pass);
      yield;
    }
    [sorted, other] = [other, sorted];
  }
  return yield* merge(sorted, documents);
}

/** Of each pass and each digit, where the first pair that has it comes to lie. */
function* placesOf(chunks: readonly Uint32Array[]): Generator<void, Uint32Array> {
  const places = new Uint32Array(passes * digits);
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += 2)
      for (let pass = 0; pass < passes; pass += 1) {
        const digit = placeIn(pass, chunk[at] ?? 0);
        places[digit] = (places[digit] ?? 0) + 2;
      }
    yield;
  }
  for (let pass = 0; pass < passes; pass += 1) {
    let next = 0;
    for (let digit = pass * digits; digit < (pass + 1) * digits; digit += 1) {
      const room = places[digit] ?? 0;
      places[digit] = next;
      next += room;
    }
  }
  return places;
}

function scatter({ from, to }: { from: Uint32Array; to: Uint32Array }, places: Uint32Array, pass: number): void {
  for (let at = 0; at < from.length; at += 2) {
    const term = from[at] ?? 0;
    const digit = placeIn(pass, term);
    const place = places[digit] ?? 0;
    places[digit] = place + 2;
    to[place] = term;
    to[place + 1] = from[at + 1] ?? 0;
  }
}

function placeIn(pass: number, term: number): number {
  return pass * digits + ((term >>> (pass * digitBits)) & (digits - 1));
}

function slicesOf(pairs: Uint32Array): readonly Uint32Array[] {
  return Array.from({ length: Math.ceil(pairs.length / sliceLength) }, (_, slice) =>
    pairs.subarray(slice * sliceLength, (slice + 1) * sliceLength),
  );
}

/** Makes one of the pairs that have the same term and the same document. */
function* merge(pairs: Uint32Array, documents: number): Generator<void, SortedPostings> {
  const found = { terms: 0, postings: 0, term: -1, document: -1 };
  const slices = slicesOf(pairs);
  for (const slice of slices) {
    count(slice, found);
    yield;
  }
  const merged = {
    terms: new Uint32Array(found.terms),
    starts: new Uint32Array(found.terms + 1),
    holders: documents <= 65_536 ? new Uint16Array(found.postings) : new Uint32Array(found.postings),
    halves: new Uint8Array(found.postings),
  };
  const filled = { terms: 0, postings: 0, term: -1, document: -1 };
  for (const slice of slices) {
    fill(slice, filled, merged);
    yield;
  }
  merged.starts[found.terms] = found.postings;
  return merged;
}

/** How far pairs were read: how many terms and postings there are, and the newest of them. */
interface Progress {
  terms: number;
  postings: number;
  term: number;
  document: number;
}

function count(pairs: Uint32Array, found: Progress): void {
  let { terms, postings, term, document } = found;
  for (let at = 0; at < pairs.length; at += 2) {
    const nextTerm = pairs[at] ?? 0;
    const nextDocument = (pairs[at + 1] ?? 0) >>> 3;
    if (nextTerm !== term) terms += 1;
    else if (nextDocument === document) continue;
    postings += 1;
    term = nextTerm;
    document = nextDocument;
  }
  Object.assign(found, { terms, postings, term, document });
}

function fill(pairs: Uint32Array, filled: Progress, merged: SortedPostings): void {
  let { terms, postings, term, document } = filled;
  for (let at = 0; at < pairs.length; at += 2) {
    const nextTerm = pairs[at] ?? 0;
    const payload = pairs[at + 1] ?? 0;
    const nextDocument = payload >>> 3;
    if (nextTerm !== term || nextDocument !== document) {
      if (nextTerm !== term) {
        merged.terms[terms] = nextTerm;
        merged.starts[terms] = postings;
        terms += 1;
      }
      merged.holders[postings] = nextDocument;
      postings += 1;
      term = nextTerm;
      document = nextDocument;
    }
    merged.halves[postings - 1] = Math.min(255, (merged.halves[postings - 1] ?? 0) + (payload & 7));
  }
  Object.assign(filled, { terms, postings, term, document });
}
