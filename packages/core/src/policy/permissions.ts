/** Every mode of `allowed-tools`. */
export const allowedToolsModes = ['grant', 'restrict', 'ignore'] as const;

/** Rules that one list may hold. */
export const mostRules = 1_000;

/** How `allowed-tools` of a skill count: they say yes beforehand, they are all that the skill may use, or nothing of both. */
export type AllowedToolsMode = 'grant' | 'restrict' | 'ignore';

/**
 * Rules of which uses of tools are done without a question, which after a yes, and which never are. What is denied is
 * never done, whatever else is said of it; else what needs a yes needs it; and what no rule names is refused.
 *
 * A list that is left out is that of the default, each for itself: so `{ deny: ['Bash'] }` takes away, and nothing else. An
 * empty list is empty.
 */
export interface ToolRules {
  readonly allow?: readonly string[] | undefined;
  /**
   * What is done after a yes. Where a rule here names the tool, no grant of a skill stands in for that yes; where it is `*`
   * or a risk, one may.
   */
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** What the tools of a run may be used for: plain data, so that a replay decides as the run did. */
export interface Permissions {
  /** What holds everywhere. @default {@link defaultToolRules}, also for each list that is left out */
  readonly configured?: ToolRules | undefined;
  /** What holds for this run, besides. It can only take away. @default { allow: ['*'] }, also where `allow` is left out */
  readonly run?: ToolRules | undefined;
  /**
   * How `allowed-tools` of skills count: one mode for all, or one for a skill (`pdf`), a pack (`org/pdf`) or an
   * organisation (`org/*`). @default `defaultAllowedToolsMode`, also for what is not named
   */
  readonly allowedTools?: AllowedToolsMode | Readonly<Record<string, AllowedToolsMode>> | undefined;
}

/** What only reads is done, what runs declared code needs a yes, and what writes, deletes or sends is off. */
export const defaultToolRules: ToolRules = { allow: ['risk:low'], ask: ['risk:medium'] };

/** A run takes nothing away. */
const openToolRules: ToolRules = { allow: ['*'] };

/** All lists of a set of rules. */
export interface ListedRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** All lists of a set of rules: of what was left out, those of the default. */
export function rulesOf(layer: 'configured' | 'run', permissions: Permissions): ListedRules {
  const byDefault = layer === 'configured' ? defaultToolRules : openToolRules;
  const { allow, ask, deny } = permissions[layer] ?? {};
  return { allow: allow ?? byDefault.allow ?? [], ask: ask ?? byDefault.ask ?? [], deny: deny ?? [] };
}
