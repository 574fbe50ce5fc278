/**
 * The exact two-sided test of McNemar over pairs of which one is right and the other is not: twice the smaller tail of the
 * binomial distribution with a probability of one half, at most 1 (McNemar 1947, Psychometrika 12:153-157; exact by the
 * binomial distribution: Fagerland et al. 2013, BMC Med. Res. Methodol. 13:91, eq. 2). Without such a pair it is 1.
 *
 * @throws `RangeError` for what is no whole number from 0.
 */
export function mcnemarTest(lost: number, won: number): number {
  throw new Error(`Not written: ${lost} ${won}.`);
}
