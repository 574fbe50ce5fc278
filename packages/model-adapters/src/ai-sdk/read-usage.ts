import type { LanguageModelV3Usage, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { ModelUsage } from '@skillpack/core';
import { costOf } from '../models/cost-of.js';
import type { ModelPrices } from '../models/model-table.js';

/** What a call took, in whole tokens: what a provider does not tell, or cannot be, counts as none. */
export function readUsage(
  usage: LanguageModelV4Usage | LanguageModelV3Usage | undefined,
  prices: ModelPrices | undefined,
): ModelUsage {
  const { total, noCache, cacheRead, cacheWrite } = usage?.inputTokens ?? {};
  const output = usage?.outputTokens;
  const inputTokens = count(total) || count(noCache) + count(cacheRead) + count(cacheWrite);
  const outputTokens = count(output?.total) || count(output?.text) + count(output?.reasoning);
  const cachedInputTokens = Math.min(count(cacheRead), inputTokens);
  const told: ModelUsage = {
    inputTokens,
    outputTokens,
    ...(cacheRead === undefined ? {} : { cachedInputTokens }),
    ...(cacheWrite === undefined
      ? {}
      : { cacheWriteTokens: Math.min(count(cacheWrite), inputTokens - cachedInputTokens) }),
    ...(output?.reasoning === undefined ? {} : { reasoningTokens: Math.min(count(output.reasoning), outputTokens) }),
  };
  // Where a provider tells of no tokens at all, nobody knows that they cost nothing.
  const cost = inputTokens + outputTokens === 0 ? undefined : costOf(told, prices);
  return cost === undefined ? told : { ...told, cost };
}

function count(tokens: number | undefined): number {
  const whole = Math.round(tokens ?? 0);
  return Number.isSafeInteger(whole) && whole > 0 ? whole : 0;
}
