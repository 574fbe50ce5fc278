import type { ParseSkillOptions, SkillScope } from '@skillpack/core';

/** How roots are scanned. */
export interface ScanOptions {
  /** How each SKILL.md is read. @default lenient */
  readonly parse?: Pick<ParseSkillOptions, 'profile' | 'rules' | 'limits'> | undefined;
  /** A scope whose skills win over all others. @default undefined */
  readonly source?: SkillScope | undefined;
  /** How many folders below its root a skill may lie. @default 6 */
  readonly maxDepth?: number | undefined;
  /** How many folders of a root are looked at. @default 2000 */
  readonly maxFolders?: number | undefined;
  /** Absolute, without links: folders that are links out of it are not followed. @default every link is followed */
  readonly within?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
