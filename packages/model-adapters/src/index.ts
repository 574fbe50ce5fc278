export { aiSdk } from './ai-sdk/ai-sdk.js';
export type { AiSdkOptions, AiSdkTimeout, StructuredForm } from './ai-sdk/ai-sdk-options.js';
export { anthropic, type AnthropicOptions } from './anthropic/anthropic.js';
export type { ProviderFetch } from './http/provider-fetch.js';
export { readProviderError, type ProviderErrorPlace } from './http/read-provider-error.js';
export { openaiCompatible, type OpenaiCompatibleOptions } from './openai-compatible/openai-compatible.js';
export type { ChunkOptions } from './scripted/chunk-text.js';
export { scripted, type ScriptedModel, type ScriptedModelOptions } from './scripted/scripted.js';
export type {
  ModelScript,
  RuleCondition,
  ScriptFunction,
  ScriptReply,
  ScriptRule,
  TextPattern,
} from './scripted/model-script.js';
export { parseScript, type ParseScriptOptions } from './scripted/parse-script.js';
export type { Conversation, SeenObservation } from './scripted/read-conversation.js';
export { searchAndAnswer } from './scripted/search-and-answer.js';
