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

/** Names of the tools that a skill unlocks, and of those that it names and nobody has. */
export function toolsOfSkill<Item extends NamedTool>(
  name: string,
  allowedTools: readonly string[] | undefined,
  tools: SessionTools<Item>,
): Pick<Activation, 'tools' | 'unknownTools'> {
  const allowed = [...new Set((allowedTools ?? []).map(withoutArguments))];
  const known = new Set((tools.skillTools ?? []).map((tool) => tool.name));
  const grouped = groupOf(name, tools).map((tool) => tool.name);
  const unlocked = [...grouped, ...allowed.filter((tool) => known.has(tool))];
  return {
    tools: [...new Set(unlocked)],
    unknownTools: allowed.filter((tool) => !unlocked.includes(tool)),
  };
}

/**
 * The tools of a request and, after them, those that the ledger unlocks, in its order. Of one name the first counts, so
 * what the request brings stays as it is.
 */
export function withUnlocked<Item extends NamedTool>(
  offered: readonly Item[],
  activations: readonly Activation[],
  tools: SessionTools<Item>,
): readonly Item[] {
  const all = new Map(offered.toReversed().map((tool) => [tool.name, tool]));
  const added: Item[] = [];
  for (const { name, tools: names } of activations) {
    const known = [...groupOf(name, tools), ...(tools.skillTools ?? [])];
    for (const wanted of names) {
      const tool = known.find((one) => one.name === wanted);
      if (tool === undefined || all.has(wanted)) continue;
      all.set(wanted, tool);
      added.push(tool);
    }
  }
  return [...offered, ...added];
}

function groupOf<Item extends NamedTool>(name: string, { groupedTools }: SessionTools<Item>): readonly Item[] {
  return groupedTools !== undefined && Object.hasOwn(groupedTools, name) ? (groupedTools[name] ?? []) : [];
}

/** `Bash(git:*)` names the tool `Bash`. */
function withoutArguments(tool: string): string {
  return tool.replace(/\(.*$/su, '').trim();
}
