/**
 * How likely one of k trials passes, without bias: 1 − C(n−c, k) / C(n, k), of c that passed among n (Chen et al. 2021,
 * arXiv:2107.03374, eq. 1).
 *
 * @throws `RangeError` for what are no whole numbers with c ≤ n and 1 ≤ k ≤ n.
 */
export function passAtK(trials: number, passed: number, k: number): number {
  checkCounts(trials, passed, k);
  return 1 - allOf(trials, trials - passed, k);
}

/**
 * How likely all of k trials pass, without bias: C(c, k) / C(n, k) (Yao et al. 2024, τ-bench, arXiv:2406.12045, section 3).
 *
 * @throws as {@link passAtK}.
 */
export function passHatK(trials: number, passed: number, k: number): number {
  checkCounts(trials, passed, k);
  return allOf(trials, passed, k);
}

function checkCounts(trials: number, passed: number, k: number): void {
  const whole = [trials, passed, k].every(Number.isSafeInteger);
  if (whole && passed >= 0 && passed <= trials && k >= 1 && k <= trials) return;
  throw new RangeError(`There are no ${k} of ${trials} trials, ${passed} of which passed.`);
}

/** How likely k that are drawn without replacement from `all` are among `some`. */
function allOf(all: number, some: number, k: number): number {
  let likely = 1;
  for (let drawn = 0; drawn < k && likely > 0; drawn += 1) likely *= (some - drawn) / (all - drawn);
  return likely;
}
