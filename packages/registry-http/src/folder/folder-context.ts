import type {
  ArchiveReader,
  ArchiveWriter,
  DiscoverySkill,
  PackManifest,
  PackName,
  PackSummary,
  VersionRecord,
} from '@skillpack/core';
import type { FolderFiles } from './folder-files.js';

/** What a folder registry works with. */
export interface FolderRegistryPorts {
  readonly archives: ArchiveReader;
  /** Makes the archives of single skills that discovery clients install. */
  readonly writer: ArchiveWriter;
  now(): Date;
  /** @default the files of the folder on this machine's disk */
  readonly files?: FolderFiles | undefined;
}

/** The same, with the files chosen. */
export interface FolderContext extends FolderRegistryPorts {
  readonly files: FolderFiles;
  /** What was read of packs before: true as long as the index has the same mark. */
  readonly memory?: Map<PackName, OfferedPack> | undefined;
}

/** A pack as it is shown in the search and to discovery clients. */
export interface OfferedPack {
  /** Of its index. */
  readonly mark: string;
  readonly summary: PackSummary;
  readonly manifest: PackManifest;
  readonly record: VersionRecord;
  /** Once its artifacts are there. */
  readonly skills?: readonly DiscoverySkill[] | undefined;
}
