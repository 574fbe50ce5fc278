import type { Tool } from '../tool/tool.js';
import type { Activation } from './activation.js';

/** Something with a name that a model can be offered, whatever else a loop makes of it. */
export interface NamedTool {
  readonly name: string;
}

/** Tools that are offered only after a skill was read. */
export interface SessionTools<Item extends NamedTool> {
  /** Those that a skill's `allowed-tools` may name. @default [] */
  readonly skillTools?: readonly Item[] | undefined;
  /** Those that come with a skill, by its name. @default none */
  readonly groupedTools?: Readonly<Record<string, readonly Item[]>> | undefined;
}

/** Where tools come from. */
export interface ToolPorts<Item extends NamedTool = Tool> extends SessionTools<Item> {
  /** Those that are there from the beginning. @default [] */
  readonly tools?: readonly Item[] | undefined;
}

/** A tool that is offered, and the skill that unlocked it; `undefined` for one that was there from the beginning. */
export interface OfferedTool<Item extends NamedTool = Tool> {
  readonly tool: Item;
  readonly activation: Activation | undefined;
}

/**
 * The tools that a model is offered: those that were there from the beginning, then those of each line of the ledger in
 * its order. Of one name the first counts. Nothing but the ledger decides, so a skill whose reading failed unlocks
 * nothing, and no compaction takes a tool away. A skill that is switched off takes its tools with it, and those of a child
 * run's skill belong to the child run.
 */
export function unlockedTools<Item extends NamedTool = Tool>(
  ports: ToolPorts<Item>,
  activations: readonly Activation[],
  options: { readonly disabled?: readonly string[] | undefined } = {},
): readonly OfferedTool<Item>[] {
  const offered = new Map<string, OfferedTool<Item>>();
  const offer = (tool: Item, activation: Activation | undefined): void => {
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

/** What a skill unlocks: the tools grouped with it, then its allowed tools that exist; and those that nobody has. Each once. */
export function skillToolNames<Item extends NamedTool>(
  skill: { readonly name: string; readonly allowedTools: readonly string[] | undefined },
  ports: ToolPorts<Item>,
): Pick<Activation, 'tools' | 'unknownTools'> {
  const grouped = groupedWith(skill.name, ports).map(({ name }) => name);
  const known = new Set([...toolsFor(skill.name, ports).keys(), ...(ports.tools ?? []).map(({ name }) => name)]);
  const allowed = [...new Set((skill.allowedTools ?? []).map(bareName))];
  return {
    tools: [...new Set([...grouped, ...allowed.filter((name) => known.has(name))])],
    unknownTools: allowed.filter((name) => !known.has(name)),
  };
}

function toolsFor<Item extends NamedTool>(skill: string, ports: ToolPorts<Item>): Map<string, Item> {
  const tools = new Map<string, Item>();
  for (const tool of [...groupedWith(skill, ports), ...(ports.skillTools ?? [])]) {
    if (!tools.has(tool.name)) tools.set(tool.name, tool);
  }
  return tools;
}

function groupedWith<Item extends NamedTool>(skill: string, { groupedTools }: ToolPorts<Item>): readonly Item[] {
  return groupedTools !== undefined && Object.hasOwn(groupedTools, skill) ? (groupedTools[skill] ?? []) : [];
}

/** `Bash(git:*)` names the tool `Bash`. */
function bareName(allowed: string): string {
  return allowed.replace(/\(.*$/su, '').trim();
}

/** Every tool of the ports by its name, which several may have. */
export function toolsByName({
  tools = [],
  skillTools = [],
  groupedTools = {},
}: ToolPorts): ReadonlyMap<string, readonly Tool[]> {
  return Map.groupBy([...tools, ...skillTools, ...Object.values(groupedTools).flat()], ({ name }) => name);
}
