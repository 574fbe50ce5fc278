import type { Tool, ToolContext, ToolResult } from '@skillpack/core';

/** What came of one of our tools, as an interface gets it: without the bytes that it made. */
export type ShownResult = Omit<ToolResult, 'outputs'>;

/** Runs one of our tools for a framework. */
export async function runForFramework(
  tool: Tool,
  input: unknown,
  {
    id,
    signal = new AbortController().signal,
  }: Pick<ToolContext, 'id'> & { readonly signal?: AbortSignal | undefined },
): Promise<ShownResult> {
  const { outputs: _, ...shown } = await tool.run(input, { id, signal });
  return shown;
}

/** A result, as the AI SDK tells it to a model. */
export interface ModelOutput {
  readonly type: 'text' | 'error-text';
  readonly value: string;
}

/**
 * What a model is told of a result: its `content`, and nothing of what a person is shown.
 *
 * @param output as it comes back from an interface, which may send anything.
 */
export function modelOutput(output: unknown): ModelOutput {
  if (typeof output !== 'object' || output === null || !('content' in output) || typeof output.content !== 'string')
    return { type: 'error-text', value: 'The tool gave no text.' };
  return { type: 'ok' in output && output.ok === false ? 'error-text' : 'text', value: output.content };
}
