import type { RunScope } from '../run-scope.js';
import { unlockedTools, type OfferedTool } from '../unlocked-tools.js';

/**
 * The tools that a run offers its model now. A line of the ledger whose text this process has not read unlocks none: it may
 * have been written by anybody. One whose skill the registry does not offer any more unlocks none either.
 */
export function offeredTools(scope: RunScope): readonly OfferedTool[] {
  const { activations, disabled } = scope.state();
  const { own } = scope.library.snapshot;
  const read = activations.filter(({ location }) => scope.bodies.has(location) && own.has(location));
  return unlockedTools(scope.ports, read, { disabled: disabled.map(({ name }) => name) });
}
