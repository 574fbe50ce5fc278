import { allowedToolsMode } from '../policy/allowed-tools-mode.js';
import type { Permissions } from '../policy/permissions.js';
import type { PolicySkill } from '../policy/tool-use.js';
import type { NamedTool, SessionTools } from './unlocked-tools.js';

/** A tool that whoever runs the agent gave a skill is one that the skill may use, though its author could not list it. */
export function withGrouped<Item extends NamedTool>(
  skill: PolicySkill,
  tool: Item,
  { groupedTools = {}, permissions }: Pick<SessionTools<Item>, 'groupedTools'> & { readonly permissions: Permissions },
): PolicySkill {
  const group = Object.hasOwn(groupedTools, skill.name) ? (groupedTools[skill.name] ?? []) : [];
  if (skill.allowedTools === undefined || !group.includes(tool)) return skill;
  if (allowedToolsMode(skill, permissions) !== 'restrict') return skill;
  return { ...skill, allowedTools: [...skill.allowedTools, tool.name] };
}
