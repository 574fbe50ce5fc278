/** Tokens of a skill's body that are shown at once: 8,000, and in a small window a quarter of it. */
export function bodyTokens(contextTokens: number): number {
  return Math.min(8_000, Math.max(256, Math.floor(contextTokens / 4)));
}
