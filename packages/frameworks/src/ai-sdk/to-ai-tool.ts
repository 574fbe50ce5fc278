import type { Tool } from '@skillpack/core';
import { dynamicTool, jsonSchema, type JSONValue } from 'ai';
import { runForFramework, type ShownResult } from '../session/shown-result.js';
import type { ToolGate } from '../session/tool-gate.js';
import type { AiTool } from './skill-tools.js';

interface ModelOutput {
  readonly type: 'text' | 'error-text';
  readonly value: string;
}

/**
 * One of our tools as the AI SDK has it. Its output is the whole result, for interfaces and programs; a model is told its
 * `content` and nothing else.
 *
 * @param current as a model is offered it now: names of skills in its schema come and go.
 */
export function toAiTool(
  name: string,
  tool: Tool,
  ports: { readonly gate?: ToolGate; readonly current?: () => Tool },
): AiTool {
  const { gate, current = () => tool } = ports;
  return dynamicTool({
    description: tool.description,
    // Cast: a JSON Schema of draft 2020-12 is more than the types of the AI SDK know of, and it hands it on as it is.
    inputSchema: () => jsonSchema(current().inputSchema as Parameters<typeof jsonSchema>[0]),
    execute: async (input, { toolCallId: id, abortSignal }): Promise<ShownResult> => {
      await gate?.pass({ id, name, input, signal: abortSignal });
      return runForFramework(tool, input, { id, signal: abortSignal });
    },
    toModelOutput: ({ output }) => modelOutput(output),
  });
}

/** An output may come back from an interface, which may send anything. */
function modelOutput(output: unknown): ModelOutput {
  const { ok, content } = (typeof output === 'object' && output !== null ? output : {}) as Partial<
    Record<string, JSONValue>
  >;
  if (typeof content !== 'string') return { type: 'error-text', value: 'The tool gave no text.' };
  return { type: ok === false ? 'error-text' : 'text', value: content };
}
