/** How a text is cut into pieces. */
export interface ChunkOptions {
  /** The same seed cuts the same text in the same places. @default 1 */
  readonly seed?: number | undefined;
  /** Code points of the longest piece. @default 12 */
  readonly longest?: number | undefined;
}

/** Pieces of a text that together are the text, each of one to `longest` whole code points. */
export function chunkText(text: string, options: ChunkOptions = {}): readonly string[] {
  const { seed = 1, longest = 12 } = options;
  const random = randomOf(seed);
  const points = Array.from(text);
  const chunks: string[] = [];
  for (let at = 0; at < points.length;) {
    const size = 1 + Math.floor(random() * Math.max(1, longest));
    chunks.push(points.slice(at, at + size).join(''));
    at += size;
  }
  return chunks;
}

/** Numbers from 0 to below 1 that look random and are the same for a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = Math.trunc(seed);
  return () => {
    state = Math.trunc(state + 0x6d_2b_79_f5);
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
