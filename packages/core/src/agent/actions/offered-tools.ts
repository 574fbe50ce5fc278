import { isUsable, judgedTool } from '../judge-use.js';
import type { RunScope } from '../run-scope.js';
import { unlockedTools, type OfferedTool } from '../unlocked-tools.js';

/**
 * The tools that a run offers its model now: those that are unlocked, and of which some use could be allowed. A line of
 * the ledger whose text this process has not read unlocks none: it may have been written by anybody. One whose skill the
 * registry does not offer any more unlocks none either.
 */
export function offeredTools(scope: RunScope): readonly OfferedTool[] {
  return unlocked(scope, { usable: ({ tool, activation }) => isUsable(judgedTool(tool, activation, scope), scope) });
}

/** A tool that is unlocked, whether it is offered or not; one that is, where there is one of that name. */
export function unlockedTool(scope: RunScope, name: string): OfferedTool | undefined {
  const named = ({ tool }: OfferedTool): boolean => tool.name === name;
  return offeredTools(scope).find(named) ?? unlocked(scope, {}).find(named);
}

function unlocked(
  scope: RunScope,
  options: { readonly usable?: (offered: OfferedTool) => boolean },
): readonly OfferedTool[] {
  const { activations, disabled } = scope.state();
  const { own } = scope.library.snapshot;
  const read = activations.filter(({ location }) => scope.bodies.has(location) && own.has(location));
  return unlockedTools(scope.ports, read, { ...options, disabled: disabled.map(({ name }) => name) });
}
