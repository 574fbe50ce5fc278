import type { ModelAdapter, ModelUsage, RunEvent } from '@skillpack/core';
import type { JudgeSpent, TrialSpent } from '../results/eval-result.js';

/** What the record of a run says that it took, child runs included. */
export function spentOf(
  events: readonly RunEvent[],
  model: Partial<Pick<ModelAdapter, 'costOf'>>,
): Omit<TrialSpent, 'duration' | 'judge'> {
  let [turns, toolCalls, scripts, inputTokens, outputTokens] = [0, 0, 0, 0, 0];
  let cost: number | undefined = 0;
  for (const event of events) {
    if (event.type === 'turn_started') turns += 1;
    if (event.type === 'action_started') {
      const { kind } = event.action;
      if (kind !== 'final_answer' && kind !== 'ask_user') toolCalls += 1;
      if (kind === 'run_script') scripts += 1;
    }
    if (event.type !== 'model_answered') continue;
    const { usage } = event;
    inputTokens += usage.inputTokens;
    outputTokens += usage.outputTokens;
    cost = plus(cost, usage.cost ?? priceOf(usage, model));
  }
  return { turns, toolCalls, scripts, inputTokens, outputTokens, cost };
}

/** A price that cannot be told, or that is none, is not known. */
function priceOf(usage: ModelUsage, model: Partial<Pick<ModelAdapter, 'costOf'>>): number | undefined {
  try {
    const price = model.costOf?.(usage);
    return price !== undefined && price >= 0 ? price : undefined;
  } catch {
    return undefined;
  }
}

/** A sum is known where both of its parts are. */
function plus(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined || !Number.isFinite(right) ? undefined : left + right;
}

/** What several attempts took together. */
export function addSpent(left: TrialSpent, right: TrialSpent): TrialSpent {
  const judge = addJudge(left.judge, right.judge);
  return {
    turns: left.turns + right.turns,
    toolCalls: left.toolCalls + right.toolCalls,
    scripts: left.scripts + right.scripts,
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cost: plus(left.cost, right.cost),
    ...(judge !== undefined && { judge }),
    duration: left.duration + right.duration,
  };
}

/** What a judge took, and what it took before. */
export function addJudge(left: JudgeSpent | undefined, right: JudgeSpent | undefined): JudgeSpent | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return {
    calls: left.calls + right.calls,
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cost: plus(left.cost, right.cost),
  };
}
