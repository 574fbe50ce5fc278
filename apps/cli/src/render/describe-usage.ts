import type { UsageSummary } from '@skillpack/core';
import { count, grouped } from './count.js';

/**
 * What the calls of a model took: `1,240 tokens in (800 cached), 210 out, $0.0041`. Without a price, the tokens alone;
 * `undefined` where nothing was asked.
 */
export function describeUsage({
  inputTokens,
  outputTokens,
  cachedInputTokens,
  cost,
}: Pick<UsageSummary, 'inputTokens' | 'outputTokens' | 'cachedInputTokens' | 'cost'>): string | undefined {
  if (inputTokens + outputTokens === 0) return undefined;
  const cached = cachedInputTokens > 0 ? ` (${grouped(cachedInputTokens)} cached)` : '';
  const price = cost !== undefined && cost > 0 ? `, ${dollars(cost)}` : '';
  return `${count(inputTokens, 'token')} in${cached}, ${grouped(outputTokens)} out${price}`;
}

/** Two digits that say something, and cents from a dollar on. */
function dollars(cost: number): string {
  const digits = cost >= 1 ? 2 : Math.min(1 - Math.floor(Math.log10(cost)), 8);
  return `$${cost.toFixed(digits)}`;
}
