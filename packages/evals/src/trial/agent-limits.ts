import type { BudgetLimits } from '@skillpack/core';
import type { EvalCase } from '../case/eval-case.js';

/** Model calls that a case of the kind `trigger` has for its choice, where it does not say. */
const triggerTurns = 5;

/** What core holds each request of a trial to. */
export function agentLimits({ kind, limits }: EvalCase): Partial<BudgetLimits> {
  const { maxTurns, maxToolCalls, maxScripts, maxTokens, maxCost, maxSeconds } = limits;
  const turns = maxTurns ?? (kind === 'trigger' ? triggerTurns : undefined);
  return {
    ...(turns !== undefined && { turns }),
    ...(maxToolCalls !== undefined && { toolCalls: maxToolCalls }),
    ...(maxScripts !== undefined && { scripts: maxScripts }),
    ...(maxTokens !== undefined && { tokens: maxTokens }),
    ...(maxCost !== undefined && { cost: maxCost }),
    ...(maxSeconds !== undefined && { wallTime: maxSeconds * 1_000 }),
  };
}
