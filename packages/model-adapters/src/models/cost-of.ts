import type { ModelUsage } from '@skillpack/core';
import type { ModelPrices } from './model-table.js';

/**
 * What a call cost, in US dollars. Tokens that the provider had kept, or keeps from now on, have prices of their own;
 * those of its reasoning are output.
 *
 * @returns `undefined` where no price is known, or where a number is none to count with: nobody is told that a call was
 * free, or that it gave money back.
 */
export function costOf(usage: ModelUsage, prices: ModelPrices | undefined): number | undefined {
  if (prices === undefined) return undefined;
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const { long } = prices;
  const {
    input,
    output,
    cachedInput = input,
    cacheWrite = input,
  } = long !== undefined && inputTokens > long.over ? long : prices;
  // A provider that counts kept tokens beside the input, not in it, is paid for those alone.
  const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  const counts = [inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens];
  const cost =
    (fresh * input + cachedInputTokens * cachedInput + cacheWriteTokens * cacheWrite + outputTokens * output) / 1e6;
  const countable = [...counts, input, output, cachedInput, cacheWrite].every((number) => number >= 0);
  return countable && Number.isFinite(cost) ? cost : undefined;
}
