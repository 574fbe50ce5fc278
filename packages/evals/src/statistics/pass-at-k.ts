/**
 * How likely one of k trials passes, without bias: 1 - C(n-c, k) / C(n, k), of c that passed among n (Chen et al. 2021,
 * arXiv:2107.03374, eq. 1).
 *
 * @throws `RangeError` for what are no whole numbers with c <= n and 1 <= k <= n.
 */
export function passAtK(trials: number, passed: number, k: number): number {
  throw new Error(`Not written: ${trials} ${passed} ${k}.`);
}

/**
 * How likely all of k trials pass, without bias: C(c, k) / C(n, k) (Yao et al. 2024, tau-bench, arXiv:2406.12045, section 3).
 *
 * @throws as {@link passAtK}.
 */
export function passHatK(trials: number, passed: number, k: number): number {
  throw new Error(`Not written: ${trials} ${passed} ${k}.`);
}
