/**
 * How many lines of one kind a window has room for: one for each 400 tokens of it.
 *
 * @param contextTokens tokens of the window.
 */
export function fittingCount(
  contextTokens: number,
  limits: { readonly fewest: number; readonly most: number },
): number {
  return Math.min(limits.most, Math.max(limits.fewest, Math.floor(contextTokens / 400)));
}
