import type { Digest } from '@skillpack/core';

/** A regular file of an archive that was judged. */
export interface ScannedFile {
  /** As the archive has it, without a leading `./`. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly digest: Digest;
  /** `undefined` when the archive does not say, as on Windows. */
  readonly executable: boolean | undefined;
}

/** The bytes of one file, in order. */
export interface ScannedContent<File extends ScannedFile = ScannedFile> {
  readonly file: File;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** An archive of which every byte was read and every entry judged, before anything is made of it. */
export interface ScannedArchive {
  /** In the archive's order. */
  readonly files: readonly ScannedFile[];
  /**
   * A file that may tell what the archive is: manifest.json, or a SKILL.md in the one folder at the root. `undefined`
   * when it is larger than {@link maxPeek}.
   */
  peek(file: ScannedFile): Uint8Array | undefined;
  /** The bytes of the wanted ones of {@link files}, in the archive's order. May be called more than once. */
  contents(wanted: ReadonlySet<ScannedFile>): AsyncIterable<ScannedContent> | Iterable<ScannedContent>;
  /** Gives back the memory that the bytes take, where it is much; no contents may be asked for afterwards. */
  release?(): void;
}

/** In bytes: a manifest of 5,000 files with long names. */
export const maxPeek = 4 * 1024 * 1024;
