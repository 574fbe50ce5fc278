import type { PackFileContent, PackManifest } from '@skillpack/core';

/** A pack as its archive was opened. */
export interface OpenedPack {
  readonly manifest: PackManifest;
  contents(): AsyncIterable<PackFileContent>;
  /** The version of skillpack that judged it. */
  readonly judge: string;
}
