import type { ToolGate } from '../session/tool-gate.js';
import type { AiTool } from './ai-tool.js';
import { asksItself } from './asks-itself.js';

type Execute = NonNullable<AiTool['execute']>;
type ExecuteOptions = Parameters<Execute>[1];

/** A tool of the AI SDK behind the gate of a session; in all else it is what it was. */
export function guardAiTool(name: string, tool: AiTool, gate: ToolGate): AiTool {
  const { execute } = tool;
  // Without it, the program or the provider carries it out, once the answer to the question is there.
  if (execute === undefined) return tool;
  const pass = async (input: unknown, options: ExecuteOptions): Promise<void> => {
    const { toolCallId: id, abortSignal: signal } = options;
    // Whoever sends the messages may have made up the question of the tool, and the answer.
    const asks = await asksItself(tool, input, options);
    await gate.pass({ id, name, input, signal, asks });
  };
  if (isGenerator(execute)) {
    return {
      ...tool,
      async *execute(input: unknown, options: ExecuteOptions) {
        await pass(input, options);
        yield* execute(input, options);
      },
    };
  }
  return {
    ...tool,
    async execute(input: unknown, options: ExecuteOptions): Promise<unknown> {
      await pass(input, options);
      const made: unknown = await execute(input, options);
      return isIterable(made) ? lastOf(made) : made;
    },
  };
}

function isGenerator(execute: Execute): execute is (...args: Parameters<Execute>) => AsyncIterable<unknown> {
  return Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]';
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The AI SDK takes pieces only from what is no promise; the last one is what came of it. */
async function lastOf(pieces: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const piece of pieces) last = piece;
  return last;
}
