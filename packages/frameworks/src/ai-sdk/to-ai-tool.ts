import type { Tool } from '@skillpack/core';
import { dynamicTool, jsonSchema } from 'ai';
import { modelOutput, runForFramework, type ShownResult } from '../session/shown-result.js';
import type { ToolGate } from '../session/tool-gate.js';
import type { AiTool } from './ai-tool.js';

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
