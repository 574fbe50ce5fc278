import type { RunScope } from '../run-scope.js';
import { unlockedTools, type OfferedTool } from '../unlocked-tools.js';

/**
 * The tools that a run offers its model now. A line of the ledger whose text this process has not read unlocks none: it may
 * have been written by anybody.
 */
export function offeredTools(scope: RunScope): readonly OfferedTool[] {
  const { activations, disabled } = scope.state();
  const read = activations.filter(({ location }) => scope.bodies.has(location));
  return unlockedTools(scope.ports, read, { disabled: disabled.map(({ name }) => name) });
}
