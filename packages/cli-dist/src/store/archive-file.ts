import { closeSync, readSync } from 'node:fs';
import type { ArchiveFile, Digest } from '@skillpack/core';
import { asIoError } from '../disk/io-error.js';

/** An archive in a file that is open: it can be read when its name is gone, too. */
export interface OpenArchiveFile extends ArchiveFile {
  /** To be called once, when it is not read any more. */
  close(): void;
}

/** Where an archive lies. */
export interface DescribedFile {
  /** Open for reading; closed by {@link OpenArchiveFile.close}. */
  readonly descriptor: number;
  /** For messages. */
  readonly path: string;
  readonly size: number;
  readonly digest: Digest;
}

/** The archive in an open file. */
export function archiveFile({ descriptor, path, size, digest }: DescribedFile): OpenArchiveFile {
  return {
    size,
    digest,
    read(into, position) {
      let length = 0;
      try {
        for (let read = 1; read > 0 && length < into.length; length += read) {
          read = readSync(descriptor, into, length, into.length - length, position + length);
        }
      } catch (error) {
        throw asIoError(error, path);
      }
      return length;
    },
    close: () => closeSync(descriptor),
  };
}
