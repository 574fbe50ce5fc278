import { namedTools } from '../policy/named-tools.js';
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

/** What is left out. */
export interface UnlockOptions<Item extends NamedTool = Tool> {
  /** Names of skills that are switched off. @default [] */
  readonly disabled?: readonly string[] | undefined;
  /** Whether a tool could be used, unlocked by this skill. @default every one could */
  readonly usable?: ((offered: OfferedTool<Item>) => boolean) | undefined;
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
  options: UnlockOptions<Item> = {},
): readonly OfferedTool<Item>[] {
  const offered = new Map<string, OfferedTool<Item>>();
  const offer = (tool: Item, activation: Activation | undefined): void => {
    if (offered.has(tool.name) || options.usable?.({ tool, activation }) === false) return;
    offered.set(tool.name, { tool, activation });
  };
  const disabled = new Set(options.disabled?.map((name) => name.normalize('NFC')));
  for (const tool of ports.tools ?? []) offer(tool, undefined);
  for (const activation of activations) {
    if (activation.runMode === 'subagent' || disabled.has(activation.name.normalize('NFC'))) continue;
    const known = toolsFor(activation.name, ports);
    for (const name of activation.tools) {
      const tool = known.get(name);
      if (tool !== undefined) offer(tool, activation);
    }
  }
  return [...offered.values()];
}

/**
 * What a skill unlocks: the tools grouped with it, then its allowed tools that exist; and those that nobody has. Each once.
 *
 * @param options.scripts whether scripts of skills can be run.
 */
export function skillToolNames<Item extends NamedTool>(
  skill: { readonly name: string; readonly allowedTools: readonly string[] | undefined },
  ports: ToolPorts<Item>,
  { scripts = false }: { readonly scripts?: boolean } = {},
): Pick<Activation, 'tools' | 'unknownTools'> {
  const grouped = groupedWith(skill.name, ports).map(({ name }) => name);
  const own = [...toolsFor(skill.name, ports).keys(), ...(ports.tools ?? []).map(({ name }) => name)];
  const known = [...new Set(own)];
  const entries = [...new Set(skill.allowedTools ?? [])];
  const found = entries.map((entry) => ({ entry, names: toolsOf(entry, known) }));
  const unknown = found.filter(({ entry, names }) => names.length === 0 && !(scripts && meansScripts(entry)));
  return {
    tools: [...new Set([...grouped, ...found.flatMap(({ names }) => names)])],
    unknownTools: [...new Set(unknown.map(({ entry }) => bareName(entry)))],
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

/** Those that an entry means; a tool of any name by that. */
function toolsOf(entry: string, known: readonly string[]): readonly string[] {
  const names = namedTools(entry, known);
  return names.length > 0 ? names : known.filter((name) => name === bareName(entry));
}

/** Scripts are no tool. */
function meansScripts(entry: string): boolean {
  return namedTools(entry, ['run_script']).length > 0;
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
