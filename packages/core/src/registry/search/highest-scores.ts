/** The places of the highest scores above 0, the highest first, equal ones as they lie; so many at most. */
export function highestScores(scores: Float64Array, most: number): readonly number[] {
  const count = Math.min(Math.max(Math.trunc(most), 0), scores.length);
  if (!(count > 0)) return [];
  const least = scores.toSorted()[scores.length - count] ?? 0;
  const places: number[] = [];
  for (let place = 0; place < scores.length; place += 1) {
    const score = scores[place] ?? 0;
    if (score > 0 && score >= least) places.push(place);
  }
  return places.toSorted((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0)).slice(0, count);
}
