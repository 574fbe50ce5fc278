import type { Attributes } from '@opentelemetry/api';
import type { AgentAction } from '../../model/action.js';
import type { ModelUsage } from '../../model/model-adapter.js';
import type { Activation } from '../activation.js';
import type { RecordedError, RunEvent } from '../run-event.js';

// Names of the semantic conventions for generative AI, as of version 1.41; those of `skill.` are ours.

/** `openai:gpt-5` as provider and model. */
export function modelAttributes(name: string): Attributes {
  const colon = name.indexOf(':');
  return colon === -1
    ? { 'gen_ai.provider.name': name, 'gen_ai.request.model': name }
    : { 'gen_ai.provider.name': name.slice(0, colon), 'gen_ai.request.model': name.slice(colon + 1) };
}

/** What a model call took. */
export function usageAttributes({ inputTokens, outputTokens, cost, ...parts }: ModelUsage): Attributes {
  const { cachedInputTokens, cacheWriteTokens, reasoningTokens } = parts;
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    ...(cachedInputTokens === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': cachedInputTokens }),
    ...(cacheWriteTokens === undefined ? {} : { 'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { 'gen_ai.usage.reasoning.output_tokens': reasoningTokens }),
    ...(cost === undefined ? {} : { 'skill.usage.cost': cost }),
  };
}

/** What is called what in a span of an action. */
export function actionAttributes(id: string, action: AgentAction): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': toolName(action),
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.type': action.kind === 'call_tool' ? 'function' : 'extension',
    ...('skill' in action ? { 'gen_ai.skill.name': action.skill.name } : {}),
    ...('relative_path' in action ? { 'gen_ai.skill.resource.name': action.relative_path } : {}),
  };
}

/** The name of a tool; of any other action, its kind. */
export function toolName(action: AgentAction): string {
  return action.kind === 'call_tool' ? action.tool : action.kind;
}

/** What was activated. */
export function activationAttributes(activation: Activation): Attributes {
  const { name, scope, location, pack, digest, by, turn, tools, runMode } = activation;
  return {
    'gen_ai.skill.name': name,
    'gen_ai.skill.source.uri': location,
    'skill.scope': scope,
    'skill.digest': digest,
    'skill.activated_by': by,
    'skill.turn': turn,
    'skill.tools': [...tools],
    'skill.run_mode': runMode,
    ...(pack === undefined ? {} : { 'skill.pack': pack }),
  };
}

/** What was read. */
export function readAttributes({ location, path, kept }: RunEvent & { readonly type: 'skill_read' }): Attributes {
  return {
    'gen_ai.skill.source.uri': location,
    'gen_ai.skill.resource.name': path === '' ? '(list of files)' : path,
    ...(kept === undefined ? {} : { 'skill.digest': kept.digest, 'skill.size': kept.size }),
  };
}

/** What kind of error it was; what it says may be somebody's, as a file name is. */
export function errorAttributes({ code }: RecordedError): Attributes {
  return { 'error.type': code };
}
