export { aiSdk } from './ai-sdk/ai-sdk.js';
export type { AiSdkOptions, AiSdkTimeout, StructuredForm } from './ai-sdk/ai-sdk-options.js';
export { anthropic, type AnthropicOptions } from './anthropic/anthropic.js';
export type { ProviderFetch } from './http/provider-fetch.js';
export type { ProviderOptions } from './http/provider-options.js';
export { readProviderError, type ProviderErrorPlace } from './http/read-provider-error.js';
export { openaiCompatible, type OpenaiCompatibleOptions } from './openai-compatible/openai-compatible.js';
export type { ChunkOptions } from './scripted/chunk-text.js';
export { scripted, type ScriptedModel, type ScriptedModelOptions } from './scripted/scripted.js';
export type {
  ModelScript,
  RuleCondition,
  ScriptExtras,
  ScriptFunction,
  ScriptReply,
  ScriptRule,
  TextPattern,
} from './scripted/model-script.js';
export { parseScript, type ParseScriptOptions } from './scripted/parse-script.js';
export type { Conversation, SeenObservation } from './scripted/read-conversation.js';
export { searchAndAnswer } from './scripted/search-and-answer.js';
export { costOf } from './models/cost-of.js';
export { defaultModels, modelsChecked } from './models/default-models.js';
export { findModel } from './models/find-model.js';
export type { LongRequestPrices, ModelFacts, ModelPrices, ModelTable, TokenPrices } from './models/model-table.js';
export { parseModelTable, type ParseModelTableOptions } from './models/parse-model-table.js';
export type { Cassette, CassetteWriter } from './recorded/cassette.js';
export { memoryCassette, type MemoryCassette } from './recorded/memory-cassette.js';
export { recorded } from './recorded/recorded.js';
export type { RecordedModel, RecordedOptions, ReplacedText, SkillDigests } from './recorded/recorded-options.js';
export { fallback, type FallbackEvent, type FallbackOptions } from './wrap/fallback.js';
export { withBudget, type BudgetedModel, type BudgetOptions, type BudgetSpending } from './wrap/with-budget.js';
export { withRateLimit, type RateLimitOptions } from './wrap/with-rate-limit.js';
export { withRetry, type RetryEvent, type RetryOptions, type RetryPorts } from './wrap/with-retry.js';
