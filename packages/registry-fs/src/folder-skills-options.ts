import type { SkillBackend } from '@skillpack/core';
import type { ScanOptions } from './scan-options.js';
import type { WatchOptions } from './watch/watch-options.js';

/** How skills of a disk are offered. */
export interface FolderSkillsOptions
  extends Omit<ScanOptions, 'signal' | 'within'>, Pick<SkillBackend, 'loadInstructions' | 'promptTemplate'> {
  /** How many files of a skill are listed, those nearer to its folder first. All can be read. @default 5000 */
  readonly maxFiles?: number | undefined;
  /** How many folders below that of its skill a file may lie to be listed. @default 16 */
  readonly maxFileDepth?: number | undefined;
  /** How changes are noticed while the skills are watched. @default by the system's events, else by looking */
  readonly watch?: WatchOptions | undefined;
}
