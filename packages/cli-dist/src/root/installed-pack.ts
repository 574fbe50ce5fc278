import type { InstallReceipt, PackName } from '@skillpack/core';

/** A pack in a root, as its receipt states it. */
export interface InstalledPack {
  readonly name: PackName;
  readonly version: string;
  readonly skills: readonly string[];
  readonly receipt: InstallReceipt;
}
