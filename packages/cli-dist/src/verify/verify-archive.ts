import type { ArchiveLimits, ArchiveReader } from '@skillpack/core';
import { sha256 } from '../archive/sha256.js';
import type { ArchiveReport } from './verify-report.js';

/** What an archive is verified with. */
export interface VerifyArchivePorts {
  readonly archives: ArchiveReader;
}

/** How an archive is verified. */
export interface VerifyArchiveOptions {
  /** @default defaultArchiveLimits */
  readonly limits?: ArchiveLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Judges every byte of an archive: what it holds, and whether its manifest is true.
 *
 * @throws `ARCHIVE_REFUSED` with the reason in `data.reason`, `INTERRUPTED`.
 */
export async function verifyArchive(
  bytes: Uint8Array,
  ports: VerifyArchivePorts,
  options: VerifyArchiveOptions = {},
): Promise<ArchiveReport> {
  const opened = await ports.archives.open(bytes, options);
  return {
    format: opened.format,
    digest: sha256(bytes),
    size: bytes.length,
    treeDigest: opened.treeDigest,
    files: opened.files.length,
    bytes: opened.files.reduce((sum, { size }) => sum + size, 0),
    manifest: opened.manifest,
  };
}
