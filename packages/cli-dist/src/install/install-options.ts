import type { ArchiveLimits, PackName, PackSpec } from '@skillpack/core';
import type { InstallRoot } from '../root/install-root.js';
import type { InstallEvent } from './install-event.js';

/** What is to be installed where. */
export interface InstallRequest {
  readonly root: InstallRoot;
  /** Empty: everything that `skillpack.json` and the lock file want. Relative paths are relative to `from`. */
  readonly specs: readonly PackSpec[];
  /** Absolute folder that relative paths in `specs` start from. @default the root's `baseDir` */
  readonly from?: string | undefined;
}

/** How anything is changed in a root. */
export interface ChangeOptions {
  /** Decide everything, change nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /** Write `skillpack.json`. The lock file is written in any case. @default true */
  readonly save?: boolean | undefined;
  /** Milliseconds to wait for another process in the same root; then `BUSY`. @default 60,000 */
  readonly lockTimeout?: number | undefined;
  /** Cancels with `INTERRUPTED`, until the point from which on a change is carried through. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: InstallEvent) => void) | undefined;
}

/** How packs are installed. */
export interface InstallOptions extends ChangeOptions {
  /** Install exactly what the lock file says, or fail with `FROZEN_MISMATCH`; write neither file. @default false */
  readonly frozen?: boolean | undefined;
  /** Take archives from the store alone. @default false */
  readonly offline?: boolean | undefined;
  /** Move edited files of installed skills to a backup instead of refusing with `FILES_EDITED`. @default false */
  readonly replace?: boolean | undefined;
  /** @default defaultArchiveLimits */
  readonly limits?: ArchiveLimits | undefined;
}

/** Which packs are to be moved to newer versions. */
export interface UpdateRequest {
  readonly root: InstallRoot;
  /** Empty: all. */
  readonly names: readonly PackName[];
}

/** How packs are updated: as they are installed, but never frozen. */
export type UpdateOptions = Omit<InstallOptions, 'frozen'>;
