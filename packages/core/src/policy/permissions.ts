/** How `allowed-tools` of a skill count: they say yes beforehand, they are all that the skill may use, or nothing of both. */
export type AllowedToolsMode = 'grant' | 'restrict' | 'ignore';

/**
 * Rules of which uses of tools are done without a question, which after a yes, and which never are. What is denied is
 * never done, whatever else is said of it; else what needs a yes needs it; and what no rule names is refused.
 */
export interface ToolRules {
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** What the tools of a run may be used for: plain data, so that a replay decides as the run did. */
export interface Permissions {
  /** What holds everywhere. @default {@link defaultToolRules} */
  readonly configured?: ToolRules | undefined;
  /** What holds for this run, besides. It can only take away. @default { allow: ['*'] } */
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
export const openToolRules: ToolRules = { allow: ['*'] };
