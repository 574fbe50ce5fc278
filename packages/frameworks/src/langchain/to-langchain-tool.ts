import type { Tool } from '@skillpack/core';
import { DynamicStructuredTool, ToolMessage, type ToolRuntime } from 'langchain';
import { runForFramework } from '../session/shown-result.js';

/** One of our tools as LangChain has it: its result is the artifact of the message, of which a model sees the content. */
export function toLangChainTool(name: string, tool: Tool): DynamicStructuredTool {
  const { description, inputSchema: schema } = tool;
  return new DynamicStructuredTool({
    name,
    description,
    schema,
    func: async (input, _, config): Promise<ToolMessage> => {
      // Cast: in an agent, a tool is called with more than the types of LangChain say.
      const { toolCallId: id = '' } = (config ?? {}) as Partial<ToolRuntime>;
      const artifact = await runForFramework(tool, input, { id, signal: config?.signal });
      const status = artifact.ok ? 'success' : 'error';
      return new ToolMessage({ content: artifact.content, artifact, name, tool_call_id: id, status });
    },
  });
}
