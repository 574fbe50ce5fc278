import type { ModelRequest } from '@skillpack/core';

/** About how many tokens a request has. Tools are counted once, in whichever of its parts the model is told of them. */
export function estimateRequest(request: ModelRequest, countTokens: (text: string) => number): number {
  const { system, messages, tools } = request;
  const told = [system, ...messages.map(({ content }) => content)];
  const apart = tools.filter(({ name }) => !system.includes(name)).map((tool) => JSON.stringify(tool));
  return Math.max(0, Math.ceil(countTokens([...told, ...apart].join('\n'))));
}
