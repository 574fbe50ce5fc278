import { estimateTokens, type ModelRequest } from '@skillpack/core';

/** About how many tokens a request has. Tools are counted once, in whichever of its parts the model is told of them. */
export function estimateRequest(request: ModelRequest, countTokens: (text: string) => number): number {
  const { system, messages, tools } = request;
  const told = [system, ...messages.map(({ content }) => content)];
  const apart = tools.filter(({ name }) => !system.includes(name)).map((tool) => JSON.stringify(tool));
  return countedTokens([...told, ...apart].join('\n'), countTokens);
}

/** Tokens of a text; by the estimate where a count is none. */
export function countedTokens(text: string, countTokens: (text: string) => number): number {
  const count = Math.ceil(countTokens(text));
  return Number.isFinite(count) && count >= 0 ? count : estimateTokens(text);
}
