import type { ArchiveLimits } from './archive-limits.js';
import type { Digest } from '../digest/is-digest.js';
import type { PackManifest } from './manifest.js';
import type { PackFile } from './pack-file.js';

/** The two containers a pack travels in. */
export type ArchiveFormat = 'tgz' | 'zip';

/** The bytes of one file, in order; every chunk may be reused after the next one is asked for. */
export interface PackFileContent {
  readonly file: PackFile;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** An archive that was read whole and judged. Nothing in it is hostile, and its manifest, if it has one, is true. */
export interface OpenedArchive {
  readonly format: ArchiveFormat;
  /** `undefined` for an archive without manifest.json: then only its own digest vouches for it. */
  readonly manifest: PackManifest | undefined;
  /** Every file of every skill, by path in byte order, enclosing folders already taken away; manifest.json is not one. */
  readonly files: readonly PackFile[];
  /** Files that were judged but are no part of the pack, as the archive names them: what macOS adds, and what lies outside every skill. */
  readonly ignored: readonly string[];
  readonly treeDigest: Digest;
  /** `pack`: one folder a skill. `skill`: SKILL.md at the root (the well-known layout). */
  readonly layout: 'pack' | 'skill';
  /** Every file's bytes, in the order of {@link files}' appearance in the archive. May be called more than once. */
  contents(): AsyncIterable<PackFileContent>;
  /**
   * Gives back the memory that its bytes take. To be called when no contents are asked for, or looked at, any more:
   * otherwise the memory of hundreds of archives waits for the collector, which comes late.
   */
  release(): void;
}

/** An archive that is read where it lies, instead of being held in memory. */
export interface ArchiveFile {
  /** In bytes. */
  readonly size: number;
  /** Of all its bytes, as its owner found them. Whoever reads them checks it again: a file may change in between. */
  readonly digest: Digest;
  /**
   * Fills `into` with the bytes from `position` on.
   *
   * @returns how many there were: fewer than fit only where the file ends. @throws `IO_ERROR`.
   */
  read(into: Uint8Array, position: number): number;
}

/** How an archive is opened. */
export interface OpenArchiveOptions {
  /** @default defaultArchiveLimits */
  readonly limits?: ArchiveLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads archives that nobody vouches for. */
export interface ArchiveReader {
  /**
   * Reads all of an archive and judges every entry; writes nothing. A file has to stay readable as long as contents
   * are asked for.
   *
   * @throws `ARCHIVE_REFUSED` with the reason in `data.reason` (see `ArchiveRefusal`), `UNSUPPORTED_FORMAT` for a
   *   manifest of a later format, `INTERRUPTED`; for a file, `INTEGRITY_MISMATCH` when it does not have its digest, and
   *   what reading it throws.
   */
  open(archive: Uint8Array | ArchiveFile, options?: OpenArchiveOptions): Promise<OpenedArchive>;
}

/** A file that goes into an archive. */
export interface ArchiveInput {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** Writes archives. */
export interface ArchiveWriter {
  /** The archive of these files: same files, same bytes, on every machine. */
  write(files: readonly ArchiveInput[], format: ArchiveFormat): Uint8Array;
}
