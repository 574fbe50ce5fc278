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
