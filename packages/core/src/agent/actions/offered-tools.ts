import type { RunScope } from '../run-scope.js';
import { unlockedTools, type OfferedTool } from '../unlocked-tools.js';

/** The tools that a run offers its model now. */
export function offeredTools(scope: RunScope): readonly OfferedTool[] {
  const { activations, disabled } = scope.state();
  return unlockedTools(scope.ports, activations, { disabled: disabled.map(({ name }) => name) });
}
