/**
 * Adjusts the probabilities of several tests, so that those below a level are the ones that the sequentially rejective
 * procedure of Holm rejects at that level (Holm 1979, Scand. J. Statist. 6:65-70): it holds how often any of them errs,
 * however they depend on each other. In the order that they were given in.
 */
export function adjustHolm(probabilities: readonly number[]): readonly number[] {
  const order = [...probabilities.keys()].toSorted(
    (left, right) => (probabilities[left] ?? 0) - (probabilities[right] ?? 0),
  );
  const adjusted = Array.from(probabilities, () => 1);
  let least = 0;
  for (const [rank, at] of order.entries()) {
    least = Math.max(least, Math.min(1, (probabilities[at] ?? 1) * (probabilities.length - rank)));
    adjusted[at] = least;
  }
  return adjusted;
}
