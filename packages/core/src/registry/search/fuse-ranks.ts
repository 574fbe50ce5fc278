// The usual constant of reciprocal rank fusion: how little the first ranks differ.
const flatness = 60;
// Documents whose ranks are equal in sum are told apart by how near they come to the best one in each ranking.
const nearness = 0.001;
// Scores are compared to nine digits, so that the order in which they were summed decides nothing.
const levels = 2 ** 31;
const mostDocuments = 2 ** 21;

/** The scores of all documents, and what the ranking counts that they make. */
export interface Ranking {
  readonly scores: Float64Array;
  readonly share: number;
}

/**
 * One score a document from those of several rankings, by reciprocal rank: 0 where all of them are 0. Below 1 for fewer
 * than 50 rankings, of which none counts more than 1.
 */
export function fuseRanks(rankings: readonly Ranking[]): Float64Array {
  const fused = new Float64Array(rankings[0]?.scores.length ?? 0);
  for (const { scores, share } of rankings) {
    const keys = sortKeys(scores);
    let rank = 0;
    let before = -1;
    for (let at = keys.length - 1; at >= 0; at -= 1) {
      const key = keys[at] ?? 0;
      const level = Math.floor(key / mostDocuments);
      const document = key - level * mostDocuments;
      if (level !== before) rank = keys.length - at;
      before = level;
      fused[document] = (fused[document] ?? 0) + share / (flatness + rank) + (nearness * level) / levels;
    }
  }
  return fused;
}

/** Of each document with a score, score and number in one, which sort many times faster than by a comparison. */
function sortKeys(scores: Float64Array): Float64Array {
  let highest = 0;
  let count = 0;
  for (const score of scores) {
    if (score > highest) highest = score;
    if (score > 0) count += 1;
  }
  const keys = new Float64Array(count);
  let at = 0;
  for (let document = 0; document < scores.length; document += 1) {
    const score = scores[document] ?? 0;
    if (score === 0) continue;
    keys[at] = Math.ceil((score / highest) * (levels - 1)) * mostDocuments + document;
    at += 1;
  }
  return keys.toSorted();
}
