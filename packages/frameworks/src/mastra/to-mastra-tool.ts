import type { Tool } from '@skillpack/core';
import { createTool, type Tool as ToolOfMastra, type ToolExecutionContext } from '@mastra/core/tools';
import { modelOutput, runForFramework } from '../session/shown-result.js';

/** A tool of Mastra, as `createTool` makes it. */
// eslint-disable-next-line typescript/no-explicit-any -- what tools take and give is their own, and Mastra writes it so
export type MastraTool = ToolOfMastra<any, any, any, any, any, string, any>;

/** What a tool is told of a call besides its input, as far as it is read here. */
export type CallContext = Pick<ToolExecutionContext, 'agent' | 'abortSignal' | 'requestContext'>;

/** Who stands before a tool. */
export interface ToolGuard {
  /** Whether a call needs a yes. */
  readonly requireApproval: (input: unknown) => Promise<boolean>;
  /** @throws what the model is told instead of a result. */
  readonly pass: (input: unknown, context: CallContext) => Promise<void>;
}

/** One of our tools as Mastra has it: programs and interfaces get its result, and a model its `content` alone. */
export function toMastraTool(name: string, tool: Tool, guard?: ToolGuard): MastraTool {
  const { description, inputSchema } = tool;
  return createTool({
    id: name,
    description,
    // Cast: a JSON Schema, which may be of a newer draft than the types know.
    inputSchema: inputSchema as unknown as NonNullable<MastraTool['inputSchema']>,
    execute: async (input: unknown, context: CallContext) => {
      await guard?.pass(input, context);
      return runForFramework(tool, input, { id: context.agent?.toolCallId ?? '', signal: context.abortSignal });
    },
    toModelOutput: modelOutput,
    ...(guard && { requireApproval: guard.requireApproval }),
  });
}

/** A tool of Mastra with somebody before it; in all else it is what it was. */
export function guardMastraTool(tool: MastraTool, { pass, requireApproval }: ToolGuard): MastraTool {
  const { execute, requireApproval: own, ...rest } = tool;
  if (execute === undefined) return tool;
  const guarded: MastraTool = {
    ...rest,
    execute: async (input: unknown, context: CallContext): Promise<unknown> => {
      await pass(input, context);
      return execute(input, context);
    },
    requireApproval: async (input, context) =>
      (await requireApproval(input)) || (typeof own === 'function' ? own(input, context) : (own ?? false)),
  };
  // Cast: what a tool was made of is what it has; only the types tell an absent field from an undefined one.
  return createTool(guarded as Parameters<typeof createTool>[0]);
}
