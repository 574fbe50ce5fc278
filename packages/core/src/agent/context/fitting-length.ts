/**
 * UTF-16 code units that one observation may have: half as many as a small window has tokens, which is about an eighth of
 * it in English and a little more than a third in Chinese, so that what was just asked for is still there when the model
 * is asked next.
 *
 * @param contextTokens tokens of the window.
 * @param most what a large window gets.
 */
export function fittingLength(contextTokens: number, most: number): number {
  return Math.min(most, Math.max(1_000, Math.floor(contextTokens * 0.5)));
}
