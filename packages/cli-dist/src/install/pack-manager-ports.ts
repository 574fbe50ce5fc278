import type { ArchiveReader, PackName, PackRegistry } from '@skillpack/core';
import type { Machine } from '../machine/machine.js';
import type { InstallSeals } from '../seal/seal-file.js';
import type { ArchiveStore } from '../store/archive-store.js';

/** How an archive is downloaded by its URL. */
export interface DownloadOptions {
  /** More bytes are refused while they arrive (`FILE_TOO_LARGE`). */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Told of every piece that arrives, in bytes. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

/** What the package manager works with; the program that uses it chooses them. */
export interface PackManagerPorts {
  /** The registry that a pack comes from, by its organisation. The same object for the same registry. */
  readonly registryFor: (name: PackName) => PackRegistry;
  /** Gets an archive that is no registry's. */
  readonly download: (url: string, options: DownloadOptions) => Promise<Uint8Array>;
  readonly archives: ArchiveReader;
  readonly store: ArchiveStore;
  /** Where it is remembered that there was nothing to do, for `recallInstall`. @default nowhere */
  readonly seals?: InstallSeals | undefined;
  /** What packs' requirements are compared with. */
  readonly machine: Machine;
  readonly now: () => Date;
  /** Of skillpack, for receipts. */
  readonly version: string;
}
