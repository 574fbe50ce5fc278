import type { ArchiveReader, ArchiveWriter } from '@skillpack/core';
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
}
