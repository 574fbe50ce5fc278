import type { LongRequestPrices, ModelFacts, ModelPrices, ModelTable, TokenPrices } from './model-table.js';

/** The day on which {@link defaultModels} was compared with its sources. */
export const modelsChecked = '2026-11-22';

/** Input per million tokens, output, input that was kept, input that is kept from now on. */
type Row = readonly [input: number, output: number, cachedInput: number, cacheWrite?: number | undefined];

function tokenPrices([input, output, cachedInput, cacheWrite]: Row): TokenPrices {
  return { input, output, cachedInput, ...(cacheWrite === undefined ? {} : { cacheWrite }) };
}

function prices(row: Row, long?: LongRequestPrices): ModelPrices {
  return long === undefined ? tokenPrices(row) : { ...tokenPrices(row), long };
}

/** As OpenAI prices long requests: input twice as much, output half as much again. */
function openaiPrices([input, output, cachedInput, cacheWrite]: Row): ModelPrices {
  const short = tokenPrices([input, output, cachedInput, cacheWrite]);
  const twice = cacheWrite === undefined ? undefined : 2 * cacheWrite;
  return { ...short, long: { over: 272_000, ...tokenPrices([2 * input, 1.5 * output, 2 * cachedInput, twice]) } };
}

/** A window, the longest answer, and what it costs where that is known. */
function facts(contextTokens: number, maxOutputTokens?: number, known?: ModelPrices): ModelFacts {
  return {
    contextTokens,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(known === undefined ? {} : { prices: known }),
  };
}

const opus4 = facts(200_000, 32_000, prices([15, 75, 1.5, 18.75]));
const sonnet4 = facts(200_000, 64_000, prices([3, 15, 0.3, 3.75]));
const gpt4o = facts(128_000, 16_384, prices([2.5, 10, 1.25]));
const gpt5 = facts(400_000, 128_000, prices([1.25, 10, 0.125]));

/**
 * Windows and prices of some models, as far as a source for them was found on the day of {@link modelsChecked}: the pages
 * on models and prices of OpenAI (developers.openai.com/api/docs/models, /pricing) and Anthropic
 * (platform.claude.com/docs/en/about-claude/pricing, /models), for a few rows the tables of models.dev and LiteLLM that
 * quote them, and for open models their cards. Standard prices: no batches, no priority, no other regions; of Anthropic's
 * two prices for keeping input, the one for five minutes. Where sources differ, or a price was said to end, there is none.
 *
 * Prices change: hand in a table of your own where money counts.
 */
export const defaultModels: ModelTable = {
  'gpt-4.1': facts(1_047_576, 32_768, prices([2, 8, 0.5])),
  'gpt-4.1-2025*': facts(1_047_576, 32_768, prices([2, 8, 0.5])),
  'gpt-4.1-mini*': facts(1_047_576, 32_768, prices([0.4, 1.6, 0.1])),
  'gpt-4.1-nano*': facts(1_047_576, 32_768, prices([0.1, 0.4, 0.025])),
  'gpt-4o': gpt4o,
  'gpt-4o-2024-08*': gpt4o,
  'gpt-4o-2024-11*': gpt4o,
  'gpt-4o-mini': facts(128_000, 16_384, prices([0.15, 0.6, 0.075])),
  'gpt-4o-mini-2024*': facts(128_000, 16_384, prices([0.15, 0.6, 0.075])),
  'gpt-5': gpt5,
  'gpt-5-2025*': gpt5,
  'gpt-5-mini*': facts(400_000, 128_000, prices([0.25, 2, 0.025])),
  'gpt-5-nano*': facts(400_000, 128_000, prices([0.05, 0.4, 0.005])),
  'gpt-5.1': gpt5,
  'gpt-5.1-2025*': gpt5,
  'gpt-5.2': facts(400_000, 128_000, prices([1.75, 14, 0.175])),
  'gpt-5.2-2025*': facts(400_000, 128_000, prices([1.75, 14, 0.175])),
  'gpt-5.4': facts(1_050_000, 128_000, openaiPrices([2.5, 15, 0.25])),
  'gpt-5.4-2026*': facts(1_050_000, 128_000, openaiPrices([2.5, 15, 0.25])),
  'gpt-5.4-mini*': facts(400_000, 128_000, prices([0.75, 4.5, 0.075])),
  'gpt-5.4-nano*': facts(400_000),
  'gpt-5.5': facts(1_050_000, 128_000, openaiPrices([5, 30, 0.5])),
  'gpt-5.5-2026*': facts(1_050_000, 128_000, openaiPrices([5, 30, 0.5])),
  // Its price of 4 and 20 dollars was promised until 2026-11-21 alone.
  'gpt-5.6': facts(1_050_000, 128_000),
  'gpt-5.6-sol*': facts(1_050_000, 128_000),
  'gpt-5.6-terra*': facts(1_050_000, 128_000, openaiPrices([2, 12, 0.2, 2.5])),
  'gpt-5.6-luna*': facts(1_050_000, 128_000, openaiPrices([0.2, 1.2, 0.02, 0.25])),
  'gpt-6-sol*': facts(1_050_000, 128_000, openaiPrices([2, 10, 0.2, 2.5])),
  'gpt-6-luna*': facts(1_050_000, 128_000, openaiPrices([0.1, 0.5, 0.01, 0.125])),

  'claude-opus-4-20*': opus4,
  'claude-opus-4-0': opus4,
  'claude-opus-4-1*': opus4,
  'claude-opus-4-5*': facts(200_000, 64_000, prices([5, 25, 0.5, 6.25])),
  'claude-opus-4-6': facts(1_000_000, 128_000, prices([5, 25, 0.5, 6.25])),
  'claude-opus-4-7': facts(1_000_000, 128_000, prices([5, 25, 0.5, 6.25])),
  'claude-opus-4-8': facts(1_000_000, 128_000, prices([5, 25, 0.5, 6.25])),
  'claude-opus-5': facts(1_000_000, 128_000, prices([5, 25, 0.5, 6.25])),
  'claude-opus-5-5': facts(1_000_000, 128_000, prices([4, 20, 0.2, 5])),
  'claude-sonnet-4-20*': sonnet4,
  'claude-sonnet-4-0': sonnet4,
  'claude-sonnet-4-5*': sonnet4,
  'claude-sonnet-4-6': facts(1_000_000, 64_000, prices([3, 15, 0.3, 3.75])),
  'claude-sonnet-5': facts(1_000_000, 128_000, prices([2, 10, 0.2, 2.5])),
  'claude-sonnet-5-5': facts(1_000_000, 128_000, prices([2, 10, 0.1, 2.5])),
  'claude-haiku-4-5*': facts(200_000, 64_000, prices([1, 5, 0.1, 1.25])),
  'claude-haiku-5-5': facts(
    1_000_000,
    128_000,
    prices([0.1, 0.5, 0.01, 0.125], { over: 100_000, ...tokenPrices([0.5, 2.5, 0.05, 0.625]) }),
  ),
  'claude-fable-5': facts(1_000_000, 128_000, prices([10, 50, 1, 12.5])),
  'claude-fable-5-1': facts(1_000_000, 128_000, prices([10, 50, 0.25, 12.5])),

  // Whoever serves an open model sets its window and its price: this is the longest that it was trained for.
  'gpt-oss*': facts(131_072),
  'openai/gpt-oss*': facts(131_072),
  'llama-3.3*': facts(131_072),
  'llama3.3*': facts(131_072),
  'meta-llama/Llama-3.3*': facts(131_072),
};
