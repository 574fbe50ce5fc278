import type { AgentPorts } from './agent-run.js';
import { estimateTokens } from './context/estimate-tokens.js';

/** How a run counts the tokens of a text. */
export function countTokensOf(ports: Pick<AgentPorts, 'countTokens'>): (text: string) => number {
  return ports.countTokens ?? estimateTokens;
}
