import type { AiTool } from './ai-tool.js';

type NeedsApproval = Extract<AiTool['needsApproval'], (...args: never) => unknown>;

/** Whether a tool of the AI SDK says of itself that this use needs a yes. */
export async function asksItself(
  tool: AiTool,
  input: unknown,
  options: Parameters<NeedsApproval>[1],
): Promise<boolean> {
  // eslint-disable-next-line typescript/no-deprecated -- tools may say it as long as the AI SDK listens to it
  const { needsApproval = false } = tool;
  return typeof needsApproval === 'function' ? needsApproval(input, options) : needsApproval;
}
