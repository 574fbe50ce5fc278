import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  f1Of,
  mcnemarTest,
  neededPairs,
  neededRuns,
  pairedBootstrap,
  passAtK,
  passHatK,
  rateOf,
  wilsonInterval,
} from '../src/index.js';
import { adjustHolm } from '../src/statistics/adjust-holm.js';
import { clusteredRate } from '../src/statistics/clustered-rate.js';
import { MersenneTwister } from '../src/statistics/mersenne-twister.js';
import { normalQuantile } from '../src/statistics/normal-quantile.js';
import { adjustedBootstrap } from '../src/statistics/paired-bootstrap.js';
import { signFlipTest } from '../src/statistics/sign-flip-test.js';

/** C(n, k), exactly. */
function choose(n: number, k: number): bigint {
  let product = 1n;
  for (let step = 1; step <= k; step += 1) product = (product * BigInt(n - k + step)) / BigInt(step);
  return product;
}

/** A quotient of whole numbers to 17 digits: the only rounding is the last one. */
function quotient(top: bigint, bottom: bigint): number {
  return Number((top * 10n ** 40n) / bottom) / 1e40;
}

describe('quantiles of the normal distribution', () => {
  // Wichura 1988, Algorithm AS 241, Appl. Statist. 37:477-484: the test values of PPND16.
  test.each([
    [0.25, -0.674_489_750_196_081_7],
    [0.001, -3.090_232_306_167_813],
    [1e-20, -9.262_340_089_798],
    // To four digits in every table: Fisher and Yates 1963, Statistical Tables, Table I.
    [0.975, 1.959_963_984_540_054],
    [0.8, 0.841_621_233_572_914_2],
    [0.5, 0],
  ])('%f lies below %f', (probability, value) => {
    expect(normalQuantile(probability)).toBeCloseTo(value, 12);
  });

  test('nothing lies below with a probability of 0, 1 or more', () => {
    for (const probability of [0, 1, -0.1, 1.1, Number.NaN])
      expect(() => normalQuantile(probability)).toThrow('does not lie between 0 and 1');
  });

  test('those of a probability and of the rest are each other’s opposite', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.5, noNaN: true }), (probability) => {
        expect(normalQuantile(1 - probability)).toBeCloseTo(-normalQuantile(probability), 10);
      }),
    );
  });
});

describe('the interval of Wilson', () => {
  test.each([
    // Newcombe 1998, Stat. Med. 17:857-872, Table I, method 3.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    // Fagerland, Lydersen and Laake 2017, Statistical Analysis of Contingency Tables, section 2.4: the package contingencytables of R, chapter 2.
    [13, 16, 0.5699, 0.9341],
  ])('of %i among %i is that of the table: %f to %f', (successes, total, low, high) => {
    const interval = wilsonInterval(successes, total);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  test('has the limits at which the score test is at its level, exactly', () => {
    // (x - n p)^2 = z^2 n p (1 - p), in whole numbers: p as a fraction of 2^60, z^2 as one of 10^15.
    const scale = 2n ** 60n;
    const squaredZ = 3_841_458_820_694_124n;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(400), (total, some) => {
        const successes = Math.min(some, total);
        const interval = wilsonInterval(successes, total);
        const score = (share: number): number => {
          const p = BigInt(Math.round(share * 2 ** 53)) * 2n ** 7n;
          const far = BigInt(successes) * scale - BigInt(total) * p;
          return (
            Number(far * far * 10n ** 15n - squaredZ * BigInt(total) * p * (scale - p)) / 1e15 / Number(scale) ** 2
          );
        };
        if (successes > 0) expect(score(interval?.low ?? 0)).toBeCloseTo(0, 9);
        if (successes < total) expect(score(interval?.high ?? 0)).toBeCloseTo(0, 9);
        expect(interval?.low).toBeLessThanOrEqual(successes / total);
        expect(interval?.high).toBeGreaterThanOrEqual(successes / total);
      }),
    );
  });

  test('of nothing counted is undefined, as the share is: neither 0 nor 1', () => {
    expect(rateOf(0, 0)).toEqual({ successes: 0, total: 0, value: undefined, interval: undefined });
    expect(rateOf(3, 3)).toMatchObject({ value: 1, interval: { high: 1 } });
    expect(rateOf(3, 3).interval?.low).toBeCloseTo(0.4385, 4);
  });

  test('of more than all is refused', () => {
    expect(() => wilsonInterval(3, 2)).toThrow('3 of 2 is no share.');
    expect(() => wilsonInterval(-1, 2)).toThrow('-1 of 2 is no share.');
    expect(() => wilsonInterval(0, Number.NaN)).toThrow('no share');
  });
});

describe('the exact test of McNemar', () => {
  test.each([
    // Fagerland, Lydersen and Laake 2013, BMC Med. Res. Methodol. 13:91: Bentur et al. 2009, and Cavo et al. 2012.
    [1, 7, 0.070_312_5],
    [6, 16, 0.052_479],
    // Agresti 1990, Categorical Data Analysis, page 350: approval of the prime minister; the package exact2x2 of R.
    [86, 150, 3.716e-5],
  ])('of %i against %i gives %f', (lost, won, probability) => {
    expect(mcnemarTest(lost, won)).toBeCloseTo(probability, 6);
    expect(mcnemarTest(won, lost)).toBe(mcnemarTest(lost, won));
  });

  test('is twice the smaller tail, as whole numbers have it', () => {
    fc.assert(
      fc.property(fc.nat(700), fc.nat(700), (lost, won) => {
        let tail = 0n;
        for (let count = 0; count <= Math.min(lost, won); count += 1) tail += choose(lost + won, count);
        const expected = Math.min(1, quotient(2n * tail, 2n ** BigInt(lost + won)));
        expect(mcnemarTest(lost, won)).toBeCloseTo(expected, 12);
      }),
      { numRuns: 60 },
    );
  });

  test('neither overflows nor vanishes with thousands of pairs', () => {
    expect(mcnemarTest(5_000, 5_000)).toBe(1);
    expect(mcnemarTest(4_900, 5_100)).toBeCloseTo(0.0466, 3);
    expect(mcnemarTest(0, 1_000)).toBeGreaterThan(0);
    expect(mcnemarTest(0, 0)).toBe(1);
    expect(() => mcnemarTest(0.5, 1)).toThrow('0.5 is no number of pairs.');
  });
});

describe('the test by signs', () => {
  // Darwin's heights of maize, in eighths of an inch. Fisher 1935, The Design of Experiments, section 21: of 32,768 sums,
  // 863 are 314 or more, and as many are −314 or less.
  const darwin = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];

  test('gives what Fisher counted of the heights of maize', () => {
    expect(signFlipTest(darwin)).toBe(1_726 / 32_768);
    expect(signFlipTest(darwin.map((difference) => difference / 8))).toBe(1_726 / 32_768);
  });

  test('is the exact test of McNemar where each pair has one trial', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), fc.nat(20), (lost, won, same) => {
        const differences = [
          ...Array.from({ length: lost }, () => -1),
          ...Array.from({ length: won }, () => 1),
          ...Array.from({ length: same }, () => 0),
        ];
        expect(signFlipTest(differences)).toBeCloseTo(mcnemarTest(lost, won), 12);
      }),
    );
  });

  test('is what going through all choices of signs gives', () => {
    const fraction = fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: 5, max: 7 }));
    fc.assert(
      fc.property(fc.array(fraction, { maxLength: 9 }), (fractions) => {
        const whole = fractions.map(([top, bottom]) => (top * 210) / bottom);
        const observed = Math.abs(whole.reduce((sum, size) => sum + size, 0));
        let asFar = 0;
        for (let signs = 0; signs < 2 ** whole.length; signs += 1) {
          const sum = whole.reduce((so, size, at) => so + (((signs >> at) & 1) === 1 ? size : -size), 0);
          if (Math.abs(sum) >= observed) asFar += 1;
        }
        const differences = fractions.map(([top, bottom]) => top / bottom);
        expect(signFlipTest(differences)).toBeCloseTo(asFar / 2 ** whole.length, 12);
      }),
    );
  });

  test('draws signs where there is no common denominator, the same for the same seed', () => {
    const odd = darwin.map((difference, at) => difference / 64 + at * 1e-7);
    const drawn = signFlipTest(odd, { seed: 3 });
    expect(drawn).toBe(signFlipTest(odd, { seed: 3 }));
    expect(Math.abs(drawn - 1_726 / 32_768)).toBeLessThan(4 * Math.sqrt((0.0527 * 0.9473) / 20_000));
    expect(signFlipTest(Array.from({ length: 60 }, () => 1 / 2_521))).toBe(1 / 20_001);
  });
});

describe('the bootstrap', () => {
  const differences = [1, 0, 0, -1, 1, 1, 0, 0, 1, 0, 0, 0, 0.5, -0.25, 0];

  test('draws by MT19937: the ten-thousandth number of the default seed is that of the standard of C++', () => {
    // ISO/IEC 14882, [rand.predef]: the 10000th of a default-constructed std::mt19937 is 4123659995.
    const random = new MersenneTwister(5_489);
    const numbers = Array.from({ length: 10_000 }, () => random.next());
    expect(numbers[0]).toBe(3_499_211_612);
    expect(numbers.at(-1)).toBe(4_123_659_995);
  });

  test('gives the limits that another program draws with the same seed', () => {
    // Made once by a program in Python, whose `random` is an MT19937 of its own.
    const uneven = [0.13, 0.71, -0.29, 0.05, 0.4, -0.6, 0.33];
    expect(pairedBootstrap(uneven)).toEqual({ low: -0.21, high: 0.39571428571428563 });
    expect(pairedBootstrap(uneven, { seed: 7 })).toEqual({ low: -0.19285714285714284, high: 0.38999999999999996 });
    expect(pairedBootstrap(uneven, { resamples: 1_000, confidence: 0.9 })).toEqual({
      low: -0.17142857142857143,
      high: 0.3685714285714285,
    });
  });

  test('comes near the limits of all resamples that there are', () => {
    // Sums of 15 draws in quarters, by convolution: how many of 15^15 resamples have each.
    let sums = new Map<number, bigint>([[0, 1n]]);
    for (let draw = 0; draw < differences.length; draw += 1) {
      const next = new Map<number, bigint>();
      for (const [sum, count] of sums)
        for (const difference of differences)
          next.set(sum + difference * 4, (next.get(sum + difference * 4) ?? 0n) + count);
      sums = next;
    }
    const all = 15n ** 15n;
    const below = (mean: number): number =>
      [...sums].reduce((share, [sum, count]) => (sum / 60 < mean - 1e-9 ? share + quotient(count, all) : share), 0);
    const { low, high } = pairedBootstrap(differences) ?? { low: Number.NaN, high: Number.NaN };
    // Four standard errors of a share of 2.5 % among 10,000.
    const error = 4 * Math.sqrt((0.025 * 0.975) / 10_000);
    expect(below(low)).toBeLessThan(0.025 + error);
    expect(below(low + 1e-6)).toBeGreaterThan(0.025 - error);
    expect(below(high)).toBeLessThan(0.975 + error);
    expect(below(high + 1e-6)).toBeGreaterThan(0.975 - error);
  });

  test('of opposite differences is the opposite', () => {
    const given = pairedBootstrap(differences, { seed: 11 });
    const opposite = pairedBootstrap(
      differences.map((difference) => -difference),
      { seed: 11 },
    );
    expect(opposite?.low).toBeCloseTo(-(given?.high ?? Number.NaN), 12);
    expect(opposite?.high).toBeCloseTo(-(given?.low ?? Number.NaN), 12);
  });

  test('of no pair is undefined; of a seed that is none, an error', () => {
    expect(pairedBootstrap([])).toBeUndefined();
    expect(adjustedBootstrap([])).toBeUndefined();
    expect(() => pairedBootstrap([1], { seed: -1 })).toThrow('The bootstrap has no seed -1.');
    expect(() => pairedBootstrap([1], { resamples: 10 })).toThrow('The bootstrap has no resamples 10.');
  });

  test('says little of few pairs that do not differ, once it is adjusted', () => {
    const same = (pairs: number) => adjustedBootstrap(Array.from({ length: pairs }, () => 0));
    expect(pairedBootstrap([0, 0, 0])).toEqual({ low: 0, high: 0 });
    expect(same(3)?.low).toBeLessThan(-0.3);
    // Bonett and Price 2012: ± 1.96 times the root of 2 / (n + 2)^2, which is ± 0.231 of 10 pairs, and ± 0.05 of about 53.
    expect(same(10)?.high).toBeGreaterThan(0.15);
    expect(same(100)?.high).toBeLessThan(0.05);
  });
});

describe('trials of which k are taken', () => {
  test('PSA-35: pass@k and pass^k are those that are published', () => {
    // README of github.com/openai/human-eval: data/example_samples.jsonl, 6 samples, 3 of which are right, has pass@1 of 0.5.
    expect(passAtK(6, 3, 1)).toBeCloseTo(0.5, 12);
    // Chen et al. 2021, figure 3 and eq. 1: fewer wrong ones than k, and one of k is right for certain.
    expect(passAtK(5, 3, 3)).toBe(1);
    // 4 of 5, in pairs: 6 of the 10 are both right; (4/5)^2, which has a bias, would be 0.64.
    expect(passHatK(5, 4, 2)).toBeCloseTo(0.6, 12);
    expect(passAtK(5, 1, 5)).toBe(1);
    expect(passHatK(5, 4, 5)).toBe(0);
  });

  test('PSA-35: pass@k and pass^k are the shares of all choices of k trials', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), fc.nat(8), (trials, drawn) => {
        const k = (drawn % trials.length) + 1;
        const choices = Array.from({ length: 2 ** trials.length }, (_unused, mask) =>
          trials.filter((_trial, at) => ((mask >> at) & 1) === 1),
        ).filter((choice) => choice.length === k);
        const passed = trials.filter(Boolean).length;
        const any = choices.filter((choice) => choice.includes(true)).length / choices.length;
        const every = choices.filter((choice) => !choice.includes(false)).length / choices.length;
        expect(passAtK(trials.length, passed, k)).toBeCloseTo(any, 12);
        expect(passHatK(trials.length, passed, k)).toBeCloseTo(every, 12);
      }),
    );
  });

  test('PSA-35: they are right for hundreds of trials, where powers of shares are not', () => {
    const expected = 1 - quotient(choose(190, 100), choose(200, 100));
    expect(passAtK(200, 10, 100)).toBeCloseTo(expected, 12);
    expect(passHatK(200, 190, 3)).toBeCloseTo(quotient(choose(190, 3), choose(200, 3)), 12);
    expect(() => passAtK(3, 2, 4)).toThrow('There are no 4 of 3 trials');
    expect(() => passHatK(3, 2, 0)).toThrow('There are no 0 of 3 trials');
  });
});

describe('how many are needed', () => {
  test.each([
    // Connor 1987, Biometrics 43:207-211, page 209, as powerandsamplesize.com works it out.
    [{ discordance: 0.5, difference: 0.4 }, 0.8, 23],
    // Chow, Shao and Wang 2003, Sample Size Calculations in Clinical Research, example 6.4.3: shifts of 0.5 and 0.2.
    [{ discordance: 0.7, difference: 0.3 }, 0.8, 59],
  ])('pairs of %o take, for a power of %f, %i', (what, power, pairs) => {
    expect(neededPairs(what, { power })).toBe(pairs);
  });

  test.each([
    // R, help page of power.prop.test: p1 = .50, p2 = .75, power = .90 gives n = 76.7.
    [0.5, 0.75, 0.9, 77],
    // The formula of Fleiss, Levin and Paik 2003, section 4.2, worked out by hand.
    [0.35, 0.85, 0.8, 14],
    [0.6, 0.8, 0.8, 82],
    [0.7, 0.8, 0.8, 294],
    [0.8, 0.85, 0.8, 906],
  ])('runs in each arm that tell %f from %f with a power of %f are %i', (before, after, power, runs) => {
    expect(neededRuns({ before, after }, { power })).toBe(runs);
  });

  test('have the power that was asked for, counted over all outcomes there can be', () => {
    // The chance that |b − c| / √(b + c) is beyond 1.96, over b, c and the pairs that agree, by the multinomial distribution.
    const powerOf = (pairs: number, discordance: number, difference: number): number => {
      const [up, down] = [(discordance + difference) / 2, (discordance - difference) / 2];
      const logs = [0];
      for (let number = 1; number <= pairs; number += 1) logs.push((logs.at(-1) ?? 0) + Math.log(number));
      const log = (number: number): number => logs[number] ?? 0;
      let power = 0;
      for (let b = 0; b <= pairs; b += 1)
        for (let c = 0; b + c <= pairs; c += 1) {
          if (b === c || Math.abs(b - c) / Math.sqrt(b + c) < 1.959_964) continue;
          const rest = pairs - b - c;
          const ways = log(pairs) - log(b) - log(c) - log(rest);
          power += Math.exp(ways + b * Math.log(up) + c * Math.log(down) + rest * Math.log(1 - discordance));
        }
      return power;
    };
    for (const [discordance, difference] of [
      [0.3, 0.1],
      [0.2, 0.12],
      [0.6, 0.25],
    ] as const) {
      const pairs = neededPairs({ discordance, difference });
      expect(powerOf(pairs, discordance, difference)).toBeGreaterThan(0.77);
      expect(powerOf(pairs, discordance, difference)).toBeLessThan(0.85);
      expect(powerOf(Math.floor(pairs * 0.7), discordance, difference)).toBeLessThan(0.72);
    }
  });

  test('what has no answer is refused', () => {
    expect(() => neededPairs({ discordance: 0.1, difference: 0 })).toThrow('no difference of 0');
    expect(() => neededPairs({ discordance: 0.1, difference: 0.5 })).toThrow('no difference of 0.5');
    for (const [before, after] of [
      [0.5, 0.5],
      [1.1, 0.5],
      [0.5, 1.1],
      [-0.1, 0.5],
      [0.5, -0.1],
    ] as const)
      expect(() => neededRuns({ before, after })).toThrow('no difference to look for');
    expect(() => neededPairs({ discordance: 1.1, difference: 0.5 })).toThrow('no difference of 0.5');
  });
});

describe('several tests at once', () => {
  test('are adjusted as by Holm', () => {
    // Help page of pingouin.holm, with the values of the procedure of Holm 1979.
    const adjusted = adjustHolm([0.5, 0.003, 0.32, 0.054, 0.0003]);
    for (const [at, expected] of [0.64, 0.012, 0.64, 0.162, 0.0015].entries())
      expect(adjusted[at]).toBeCloseTo(expected, 12);
    expect(adjustHolm([])).toEqual([]);
    expect(adjustHolm([0.04])).toEqual([0.04]);
  });
});

describe('shares of trials of which several are of one case', () => {
  test('have the interval of Wilson where each case has one trial', () => {
    const clusters = [1, 1, 0, 1].map((successes) => ({ successes, total: 1 }));
    const rate = clusteredRate(clusters);
    expect(rate.interval?.low).toBeLessThanOrEqual(rateOf(3, 4).interval?.low ?? 0);
    expect(rate).toMatchObject({ successes: 3, total: 4, value: 0.75 });
    expect(rate.interval?.low).toBeCloseTo(rateOf(3, 4).interval?.low ?? 0, 12);
  });

  test('are worth no more than the cases where all trials of a case end alike', () => {
    const alike = [5, 5, 0, 5, 5, 0, 5, 5].map((successes) => ({ successes, total: 5 }));
    const { interval } = clusteredRate(alike);
    expect(interval?.low).toBeCloseTo(rateOf(6, 8).interval?.low ?? 0, 12);
    expect(interval?.high).toBeCloseTo(rateOf(6, 8).interval?.high ?? 0, 12);
    const perfect = clusteredRate(Array.from({ length: 20 }, () => ({ successes: 5, total: 5 })));
    expect(perfect.interval?.low).toBeCloseTo(rateOf(20, 20).interval?.low ?? 0, 12);
    expect(perfect.interval?.high).toBe(1);
  });

  test('are divided by the design effect of the ratio', () => {
    // By hand: p = 9/16; residuals 1.75, −0.25, −1.25, −0.25; v = 4/3 · 4.75 / 256; d = v · 16 / (63/256) = 4.75·4·16/(3·63).
    const rate = clusteredRate([4, 2, 1, 2].map((successes) => ({ successes, total: 4 })));
    const effect = (4.75 * 4 * 16) / (3 * 63);
    const worth = 16 / effect;
    const expected = wilsonInterval((9 / 16) * worth, worth);
    expect(rate.interval?.low).toBeCloseTo(expected?.low ?? 0, 12);
    expect(rate.interval?.high).toBeCloseTo(expected?.high ?? 0, 12);
  });

  test('hold the true share as often as they say, where that of all trials as they are does not', () => {
    const random = new MersenneTwister(5);
    const uniform = (): number => random.next() / 2 ** 32;
    const rounds = 1_500;
    let held = 0;
    let naive = 0;
    for (let round = 0; round < rounds; round += 1) {
      // Each of 40 cases passes as often as it likes, one half in the mean; 8 trials each.
      const clusters = Array.from({ length: 40 }, () => {
        const likely = uniform();
        return { successes: Array.from({ length: 8 }, uniform).filter((drawn) => drawn < likely).length, total: 8 };
      });
      const rate = clusteredRate(clusters);
      const all = rateOf(rate.successes, rate.total);
      if ((rate.interval?.low ?? 1) <= 0.5 && (rate.interval?.high ?? 0) >= 0.5) held += 1;
      if ((all.interval?.low ?? 1) <= 0.5 && (all.interval?.high ?? 0) >= 0.5) naive += 1;
    }
    const error = 4 * Math.sqrt((0.05 * 0.95) / rounds);
    expect(held / rounds).toBeGreaterThan(0.95 - error);
    expect(held / rounds).toBeLessThan(0.95 + error);
    expect(naive / rounds).toBeLessThan(0.8);
  });

  test('lie between those of the cases and those of all trials as they are', () => {
    const cluster = fc
      .integer({ min: 1, max: 6 })
      .chain((total) => fc.record({ successes: fc.nat(total), total: fc.constant(total) }));
    fc.assert(
      fc.property(fc.array(cluster, { minLength: 1, maxLength: 12 }), (clusters) => {
        const rate = clusteredRate(clusters);
        const naive = rateOf(rate.successes, rate.total);
        expect(rate.value).toBe(naive.value);
        expect(rate.interval?.low).toBeLessThanOrEqual((naive.interval?.low ?? 0) + 1e-12);
        expect(rate.interval?.high).toBeGreaterThanOrEqual((naive.interval?.high ?? 1) - 1e-12);
        expect(rate.interval?.high).toBeLessThanOrEqual(1);
      }),
    );
  });
});

test('PSA-35: F1 is undefined where precision or recall is, and 0 where all is wrong', () => {
  expect(f1Of({ truePositives: 0, falsePositives: 0, falseNegatives: 4 })).toBeUndefined();
  expect(f1Of({ truePositives: 0, falsePositives: 2, falseNegatives: 0 })).toBeUndefined();
  expect(f1Of({ truePositives: 0, falsePositives: 2, falseNegatives: 2 })).toBe(0);
  // van Rijsbergen 1979, Information Retrieval, chapter 7: the harmonic mean of 3/4 and 3/5.
  expect(f1Of({ truePositives: 3, falsePositives: 1, falseNegatives: 2 })).toBeCloseTo(2 / (4 / 3 + 5 / 3), 12);
});
