import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import type { ModelAdapter } from '../model/model-adapter.js';
import { noLimit } from './fill-limits.js';
import type { RunSettings } from './run-settings.js';

/**
 * A limit of cost is none where nobody knows what calls cost.
 *
 * @returns whether that is known before the first answer, where there is such a limit.
 * @throws `USAGE` where the model says itself that it does not know.
 */
export function checkCostLimit(model: ModelAdapter, { limits, unknownCost }: RunSettings): boolean {
  if (limits.cost >= noLimit || unknownCost !== 'end') return true;
  if (typeof model.costOf !== 'function') return false;
  const cost: unknown = model.costOf({ inputTokens: 1, outputTokens: 1 });
  if (typeof cost === 'number' && cost >= 0 && cost < Infinity) return true;
  throw new SkillsError(
    'USAGE',
    `The run has a limit of cost, $${limits.cost}, and nobody knows what a call of the model ${quoted(model.name)} costs.`,
    {
      hint: "Tell its adapter the prices, limit tokens instead, or let calls count as free with unknownCost: 'go-on'.",
    },
  );
}
