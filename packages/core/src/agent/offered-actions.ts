import type { AgentActionKind } from '../model/action.js';
import { couldBeUsed } from '../policy/could-be-used.js';
import type { JudgedTool } from '../policy/tool-use.js';
import type { RunScope } from './run-scope.js';

/**
 * What a model may decide. It depends on what the run has, not on how far it is, so that what a provider keeps of the
 * prompt lasts: what cannot be done yet is refused with the reason. What could never be done is not offered.
 */
export function offeredActions({ ports, settings, library, depth }: RunScope): readonly AgentActionKind[] {
  const { skills, shadowed } = library.snapshot.index;
  const withSkills = skills.length + shadowed.length > 0;
  const { tools = [], skillTools = [], groupedTools = {} } = ports;
  const { permissions = {} } = settings;
  const all = [...tools, ...skillTools, ...Object.values(groupedTools).flat()];
  const usable = (tool: JudgedTool): boolean => couldBeUsed(tool, { permissions, skills: [] });
  const withTools = all.some(({ name, risk }) => usable({ action: 'call_tool', tool: name, risk }));
  const withScripts =
    withSkills && ports.runner !== undefined && usable({ action: 'run_script', tool: 'run_script', risk: 'medium' });
  const kinds: readonly (readonly [AgentActionKind, boolean])[] = [
    ['select_skills', withSkills],
    ['load_resource', withSkills],
    ['run_script', withScripts],
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
