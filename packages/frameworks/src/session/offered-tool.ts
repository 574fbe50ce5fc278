import { SkillsError, quoted, type RiskClass, type Tool } from '@skillpack/core';
import type { SkillOptions } from './skill-ports.js';

/** A tool as a session has it: one of ours, or one of the framework. */
export type OfferedTool<Theirs> =
  | (KnownRisk & { readonly kind: 'ours'; readonly name: string; readonly tool: Tool })
  | (KnownRisk & { readonly kind: 'theirs'; readonly name: string; readonly tool: Theirs });

interface KnownRisk {
  readonly risk: RiskClass;
  readonly runsCode: boolean;
  readonly confined: boolean;
}

/** Our tools as a list, or tools by name: ours, or those of the framework. */
export type ToolsByName<Theirs> = readonly Tool[] | Readonly<Record<string, Tool | Theirs>>;

/** The tools with what is known of their risk. */
export function offeredTools<Theirs extends object>(
  tools: ToolsByName<Theirs> | undefined,
  options: Pick<SkillOptions, 'risks'>,
): readonly OfferedTool<Theirs>[] {
  if (tools === undefined) return [];
  if (isList(tools)) return tools.map((tool) => ours(tool.name, tool));
  return Object.entries(tools).map(([name, tool]) =>
    isOurs(tool) ? ours(name, tool) : { kind: 'theirs', name, tool, ...riskOf(name, options) },
  );
}

/** @throws `USAGE` where two tools have one name: a model calls them by nothing else. */
export function checkNames<Theirs>(tools: readonly OfferedTool<Theirs>[]): void {
  const known = new Map<string, unknown>();
  for (const { name, tool } of tools) {
    const other = known.get(name);
    if (other !== undefined && other !== tool) throw sameName(name);
    known.set(name, tool);
  }
}

function isList<Theirs>(tools: ToolsByName<Theirs>): tools is readonly Tool[] {
  return Array.isArray(tools);
}

/** A tool of ours is run; those of the frameworks are executed or invoked. */
export function isOurs(tool: object): tool is Tool {
  return 'run' in tool && typeof tool.run === 'function' && 'risk' in tool;
}

function ours(name: string, tool: Tool): OfferedTool<never> {
  const { risk, runsCode = false, confined = false } = tool;
  return { kind: 'ours', name, tool, risk, runsCode, confined };
}

function riskOf(name: string, { risks = {} }: Pick<SkillOptions, 'risks'>): KnownRisk {
  const told = Object.hasOwn(risks, name) ? risks[name] : undefined;
  const {
    risk = 'medium',
    runsCode = false,
    confined = false,
  } = typeof told === 'string' ? { risk: told } : (told ?? {});
  return { risk, runsCode, confined };
}

/** @throws `USAGE` where two of a list have one name. */
export function byName<Named extends { readonly name: string }>(
  tools: readonly Named[],
): Readonly<Record<string, Named>> {
  const named = new Map<string, Named>();
  for (const tool of tools) {
    if (named.has(tool.name)) throw sameName(tool.name);
    named.set(tool.name, tool);
  }
  return Object.fromEntries(named);
}

function sameName(name: string): SkillsError {
  return new SkillsError('USAGE', `Two tools have the name ${quoted(name, 64)}.`, {
    hint: 'Give them names of their own, or hand in the same tool in both places.',
  });
}
