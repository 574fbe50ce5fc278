/**
 * The exact two-sided test of McNemar over pairs of which one is right and the other is not: twice the smaller tail of the
 * binomial distribution with a probability of one half, at most 1 (McNemar 1947, Psychometrika 12:153-157; exact by the
 * binomial distribution: Fagerland et al. 2013, BMC Med. Res. Methodol. 13:91). Without such a pair it is 1.
 *
 * @throws `RangeError` for what is no whole number from 0.
 */
export function mcnemarTest(lost: number, won: number): number {
  for (const count of [lost, won])
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is no number of pairs.`);
  const pairs = lost + won;
  const fewer = Math.min(lost, won);
  // The likeliest of the tail, C(n, k) / 2^n: halved as it grows, so that it neither overflows nor vanishes on the way.
  let largest = 1;
  let halvings = pairs;
  for (let step = 1; step <= fewer; step += 1) {
    largest = (largest * (pairs - fewer + step)) / step;
    for (; largest > 1 && halvings > 0; halvings -= 1) largest /= 2;
  }
  for (; halvings > 0 && largest > 0; halvings -= 1) largest /= 2;
  let tail = 0;
  let share = 1;
  for (let count = fewer; count >= 0 && share > 0; count -= 1) {
    tail += share;
    share = (share * count) / (pairs - count + 1);
  }
  return Math.min(1, 2 * largest * tail);
}
