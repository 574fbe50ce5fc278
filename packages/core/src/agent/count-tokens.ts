import type { AgentPorts } from './agent-run.js';
import { estimateTokens } from './context/estimate-tokens.js';

/** How a run counts the tokens of a text. Where a way of its own throws, or says what is no count, the estimate counts. */
export function countTokensOf({ countTokens }: Pick<AgentPorts, 'countTokens'>): (text: string) => number {
  if (countTokens === undefined) return estimateTokens;
  return (text) => {
    const counted = answerOf(countTokens, text);
    return isCount(counted) ? counted : estimateTokens(text);
  };
}

function answerOf(countTokens: (text: string) => unknown, text: string): unknown {
  try {
    return countTokens(text);
  } catch {
    // It comes from anywhere, and a run can do without it.
    return undefined;
  }
}

/** A record has no number that is none, and sums of these stay numbers. */
function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
