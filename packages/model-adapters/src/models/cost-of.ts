import type { ModelUsage } from '@skillpack/core';
import type { ModelPrices } from './model-table.js';

/**
 * What a call cost, in US dollars. Tokens that the provider had kept, or keeps from now on, have prices of their own;
 * those of its reasoning are output.
 *
 * @returns `undefined` where no price is known, or where the usage is not one: nobody is told that a call was free.
 */
export function costOf(usage: ModelUsage, prices: ModelPrices | undefined): number | undefined {
  if (prices === undefined) return undefined;
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const counts = [inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens];
  const { input, output, cachedInput = input, cacheWrite = input } = prices;
  const known = [...counts, input, output, cachedInput, cacheWrite].every(
    (value) => Number.isFinite(value) && value >= 0,
  );
  if (!known) return undefined;
  // A provider that counts kept tokens beside the input, not in it, is paid for those alone.
  const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  const millions =
    fresh * input + cachedInputTokens * cachedInput + cacheWriteTokens * cacheWrite + outputTokens * output;
  return millions / 1_000_000;
}
