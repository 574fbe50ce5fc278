import type { PackName } from '@skillpack/core';
import type { ChangeOptions } from '../install/install-options.js';
import type { InstallRoot } from '../root/install-root.js';

/** What is to be removed. */
export interface UninstallRequest {
  readonly root: InstallRoot;
  /** Packs (`org/pdf`) or skills (`pdf`). */
  readonly names: readonly string[];
}

/** How packs are removed. */
export interface UninstallOptions extends ChangeOptions {
  /** Remove edited and added files too, and packs that others depend on. @default false */
  readonly force?: boolean | undefined;
  /** Copy every skill to a backup first. @default false */
  readonly backup?: boolean | undefined;
}

/** One pack that was removed. */
export interface RemovedPack {
  readonly name: PackName;
  readonly version: string;
  readonly skills: readonly string[];
  /** `requested`, or `orphan`: it was there only because a removed pack depended on it. */
  readonly reason: 'requested' | 'orphan';
  /** Files that were edited or added and therefore stay, relative to the root. */
  readonly kept: readonly string[];
}

/** What an uninstall did, or with `dryRun` would do. */
export interface UninstallReport {
  readonly root: string;
  readonly dryRun: boolean;
  readonly removed: readonly RemovedPack[];
  readonly backups: readonly string[];
  readonly saved: { readonly projectFile: boolean; readonly lockFile: boolean };
}
