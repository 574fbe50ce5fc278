import { MersenneTwister } from './mersenne-twister.js';

/** How signs are drawn where there are too many to go through. */
export interface SignFlipOptions {
  /** A whole number from 0, below 2^32. @default 1 */
  readonly seed?: number | undefined;
}

// Steps of the exact way that take well below a second.
const mostSteps = 50_000_000;
const largestDenominator = 2_520;
const draws = 20_000;

/**
 * How likely differences of pairs that are as likely to be the other way round have a sum as far from 0: the two-sided test
 * by permutation (Fisher 1935, The Design of Experiments, section 21). Of differences that are −1, 0 or 1 it is the exact
 * test of McNemar.
 *
 * It is exact for fractions with a common denominator up to 2,520. Where there is none, or there are too many sums, 20,000
 * choices of signs are drawn, and the one that was observed counts as one of them (Phipson and Smyth 2010, Stat. Appl.
 * Genet. Mol. Biol. 9:39).
 */
export function signFlipTest(differences: readonly number[], { seed = 1 }: SignFlipOptions = {}): number {
  const sizes = differences.filter((difference) => difference !== 0);
  const whole = asWholeNumbers(sizes);
  if (whole === undefined) return drawnProbability(sizes, seed);
  const total = whole.reduce((sum, size) => sum + Math.abs(size), 0);
  return total * whole.length > mostSteps ? drawnProbability(sizes, seed) : exactProbability(whole, total);
}

/** The differences times the smallest number that makes all of them whole. */
function asWholeNumbers(differences: readonly number[]): readonly number[] | undefined {
  for (let denominator = 1; denominator <= largestDenominator; denominator += 1) {
    if (
      differences.every(
        (difference) => Math.abs(difference * denominator - Math.round(difference * denominator)) < 1e-9,
      )
    )
      return differences.map((difference) => Math.round(difference * denominator));
  }
  return undefined;
}

/** By the distribution of the sum of those with a plus: each one doubles the choices. */
function exactProbability(differences: readonly number[], total: number): number {
  const likely = new Float64Array(total + 1);
  likely[0] = 1;
  let reached = 0;
  for (const difference of differences) {
    const size = Math.abs(difference);
    reached += size;
    for (let sum = reached; sum >= 0; sum -= 1)
      likely[sum] = ((likely[sum] ?? 0) + (sum < size ? 0 : (likely[sum - size] ?? 0))) / 2;
  }
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  let probability = 0;
  for (const [sum, share] of likely.entries()) if (Math.abs(2 * sum - total) >= observed) probability += share;
  return Math.min(1, probability);
}

function drawnProbability(differences: readonly number[], seed: number): number {
  const random = new MersenneTwister(seed);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  let asFar = 1;
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0;
    let signs = 0;
    for (const [at, difference] of differences.entries()) {
      if (at % 32 === 0) signs = random.next();
      sum += (signs & 1) === 1 ? difference : -difference;
      signs >>>= 1;
    }
    // The sums of the same numbers in another order differ in their last digits.
    if (Math.abs(sum) >= observed - 1e-9) asFar += 1;
  }
  return asFar / (draws + 1);
}
