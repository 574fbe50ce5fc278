import type { ArchiveLimits, ArchiveReader } from '@skillpack/core';
import { sha256 } from '../archive/sha256.js';
import { hintsOfPath } from '../fetch/name-hints.js';
import { packContentOf } from '../fetch/pack-content.js';
import type { ArchiveReport } from './verify-report.js';

/** What an archive is verified with. */
export interface VerifyArchivePorts {
  readonly archives: ArchiveReader;
}

/** How an archive is verified. */
export interface VerifyArchiveOptions {
  /** @default defaultArchiveLimits */
  readonly limits?: ArchiveLimits | undefined;
  /** Where it lies: an install names a skill without a usable name after it. @default 'archive' */
  readonly path?: string | undefined;
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
  // What is told of an archive without a manifest is what an install of it makes.
  const { manifest } = await packContentOf(opened, hintsOfPath(options.path ?? 'archive'));
  return {
    format: opened.format,
    digest: sha256(bytes),
    size: bytes.length,
    treeDigest: manifest.treeDigest,
    skills: manifest.skills.map(({ name }) => name),
    files: opened.files.length,
    bytes: opened.files.reduce((sum, { size }) => sum + size, 0),
    manifest: opened.manifest,
  };
}
