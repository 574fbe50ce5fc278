import type { ActionRule, StepPattern } from '../../case/expectations.js';
import type { ImportContext } from '../import-context.js';
import { exactCalls, literalInput, toolStep } from '../tool-steps.js';
import type { AdkCriteria } from './adk-criteria.js';
import type { AdkTurn } from './adk-turns.js';

/** The calls of tools that the lines of a conversation expect, as rules: over all of it, in the order of its lines. */
export function trajectoryRules(
  turns: readonly AdkTurn[],
  { notes }: ImportContext,
  { trajectory }: AdkCriteria,
): readonly ActionRule[] {
  const said = turns.filter(({ calls }) => calls !== undefined);
  const calls = said.flatMap((turn) => turn.calls ?? []);
  if (said.length === 0) return [];
  if (trajectory === undefined) {
    for (const { at } of calls) notes.mention('dropped', at, 'The criteria do not ask for the calls of tools.');
    return [];
  }
  const steps = calls.map(({ at, tool, input }): StepPattern => {
    const { input: literal, exact } = literalInput(input);
    if (!exact)
      notes.mention(
        'changed',
        at,
        'A text with “*” in it, or one that begins with “$”, stands for more than itself here.',
      );
    const step = toolStep(tool);
    if (trajectory.ignoreArguments || step.action !== 'call_tool') return step;
    return { ...step, input: literal, inputExactly: true };
  });
  if (turns.length > 1 && steps.length > 0) {
    for (const { at } of said)
      notes.mention('changed', at, 'Calls of tools are compared over the whole conversation, not line by line.');
  }
  if (said.length < turns.length || trajectory.match !== 'exact') return matched(steps, trajectory.match);
  return exactCalls(steps);
}

function matched(steps: readonly StepPattern[], match: 'exact' | 'in_order' | 'any_order'): readonly ActionRule[] {
  if (steps.length === 0) return [];
  return [{ kind: 'sequence', mode: match === 'any_order' ? 'any_order' : 'in_order', steps }];
}
