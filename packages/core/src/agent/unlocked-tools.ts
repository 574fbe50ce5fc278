import type { Tool } from '../tool/tool.js';
import type { Activation } from './activation.js';
import type { AgentPorts } from './agent-run.js';

/** Where tools come from. */
export type ToolPorts = Pick<AgentPorts, 'tools' | 'skillTools' | 'groupedTools'>;

/** A tool that is offered, and the skill that unlocked it; `undefined` for one that was there from the beginning. */
export interface OfferedTool {
  readonly tool: Tool;
  readonly activation: Activation | undefined;
}

/** The names of the tools that a skill unlocks, and those it names that are not there. */
export interface SkillTools {
  readonly tools: readonly string[];
  readonly unknownTools: readonly string[];
}

/**
 * The tools that a model is offered: those that were there from the beginning, then those of each line of the ledger in
 * its order. Of one name the first counts. Nothing but the ledger decides, so a skill whose reading failed unlocks
 * nothing, and no compaction takes a tool away. A skill that is switched off takes its tools with it, and those of a child
 * run's skill belong to the child run.
 */
export function unlockedTools(
  ports: ToolPorts,
  activations: readonly Activation[],
  options: { readonly disabled?: readonly string[] | undefined } = {},
): readonly OfferedTool[] {
  const offered = new Map<string, OfferedTool>();
  const offer = (tool: Tool, activation: Activation | undefined): void => {
    if (!offered.has(tool.name)) offered.set(tool.name, { tool, activation });
  };
  for (const tool of ports.tools ?? []) offer(tool, undefined);
  for (const activation of activations) {
    if (activation.runMode === 'subagent' || options.disabled?.includes(activation.name) === true) continue;
    const known = toolsFor(activation.name, ports);
    for (const name of activation.tools) {
      const tool = known.get(name);
      if (tool !== undefined) offer(tool, activation);
    }
  }
  return [...offered.values()];
}

/** What a skill unlocks: the tools grouped with it, then its allowed tools that exist, each once. */
export function skillToolNames(
  skill: { readonly name: string; readonly allowedTools: readonly string[] | undefined },
  ports: ToolPorts,
): SkillTools {
  const known = toolsFor(skill.name, ports);
  for (const tool of ports.tools ?? []) if (!known.has(tool.name)) known.set(tool.name, tool);
  const tools = new Set(groupedWith(skill.name, ports).map((tool) => tool.name));
  const unknownTools = new Set<string>();
  for (const allowed of skill.allowedTools ?? []) {
    const name = bareName(allowed);
    if (known.has(name)) tools.add(name);
    else unknownTools.add(allowed);
  }
  return { tools: [...tools], unknownTools: [...unknownTools] };
}

function toolsFor(skill: string, ports: ToolPorts): Map<string, Tool> {
  const tools = new Map<string, Tool>();
  for (const tool of [...groupedWith(skill, ports), ...(ports.skillTools ?? [])]) {
    if (!tools.has(tool.name)) tools.set(tool.name, tool);
  }
  return tools;
}

function groupedWith(skill: string, { groupedTools }: ToolPorts): readonly Tool[] {
  return groupedTools !== undefined && Object.hasOwn(groupedTools, skill) ? (groupedTools[skill] ?? []) : [];
}

/** `Bash(git:*)` names the tool `Bash`. */
function bareName(allowed: string): string {
  const parenthesis = allowed.indexOf('(');
  return (parenthesis === -1 ? allowed : allowed.slice(0, parenthesis)).trim();
}

/** Every tool of the ports by its name, which several may have. */
export function toolsByName({
  tools = [],
  skillTools = [],
  groupedTools = {},
}: ToolPorts): ReadonlyMap<string, readonly Tool[]> {
  return Map.groupBy([...tools, ...skillTools, ...Object.values(groupedTools).flat()], ({ name }) => name);
}
