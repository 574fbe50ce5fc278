import type { AgentActionKind } from '../model/action.js';
import type { RunScope } from './run-scope.js';

/**
 * What a model may decide. It depends on what the run has, not on how far it is, so that what a provider keeps of the
 * prompt lasts: what cannot be done yet is refused with the reason.
 */
export function offeredActions({ ports, library, depth }: RunScope): readonly AgentActionKind[] {
  const { skills, shadowed } = library.snapshot.index;
  const withSkills = skills.length + shadowed.length > 0;
  const { tools = [], skillTools = [], groupedTools = {} } = ports;
  const withTools = tools.length + skillTools.length + Object.keys(groupedTools).length > 0;
  const kinds: readonly (readonly [AgentActionKind, boolean])[] = [
    ['select_skills', withSkills],
    ['load_resource', withSkills],
    ['run_script', withSkills && ports.runner !== undefined],
    ['call_tool', withTools],
    ['search_skills', withSkills],
    ['disable_skill', withSkills],
    ['enable_skill', withSkills],
    ['update_plan', true],
    // A child run has nobody whom it could ask.
    ['ask_user', depth === 1],
    ['final_answer', true],
  ];
  return kinds.filter(([, offered]) => offered).map(([kind]) => kind);
}
