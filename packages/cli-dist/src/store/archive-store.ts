import type { ArchiveFile, BlobSink, Digest } from '@skillpack/core';
import type { OpenedPack } from './opened-pack.js';
import type { ExpectedPack, UnpackedPack } from './unpacked-pack.js';

/** What was removed from a store. */
export interface StoreCleaned {
  readonly archives: number;
  /** Of all archives together, and of the unpacked forms that are kept beside some. */
  readonly bytes: number;
  /** What was being written: by a process that is at work, or by one that died. Not in {@link bytes}. */
  readonly unfinished: { readonly files: number; readonly bytes: number };
}

/** What a store holds. */
export interface StoreInfo extends StoreCleaned {
  /** The folder it lies in. */
  readonly path: string;
}

/** What a check of every archive of a store found. */
export interface StoreVerified {
  readonly archives: number;
  readonly bytes: number;
  /**
   * Archives that cannot be read, or whose bytes are not those of their name, and unpacked forms that are not whole.
   * With `repair` they were removed.
   */
  readonly damaged: readonly string[];
  /** Files that were being written an hour ago or longer. With `repair` they were removed. */
  readonly leftovers: readonly string[];
  /** What stands where archives or their folders belong and is neither; it is left alone. */
  readonly blocked: readonly string[];
}

/** What a check of a store does with what it finds. */
export interface StoreVerifyOptions {
  /** Whether damaged archives are removed. @default true */
  readonly repair?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * An archive up to this size is held in memory, a larger one is read where it lies. In bytes: what is held mostly unpacks
 * to so little that it is inflated once, what is not held is inflated twice.
 */
export const heldBytes = 8 * 1024 * 1024;

/** How an archive of a store is opened. */
export interface StoreOpenOptions {
  /** What an archive may have where that is more than the default limit, in bytes: a larger file is damaged. */
  readonly maxBytes?: number | undefined;
}

/** An archive that can be read until it is closed, whatever becomes of the store. */
export interface StoredArchive {
  /** In memory when it is not larger than {@link heldBytes}. */
  readonly archive: Uint8Array | ArchiveFile;
  /** In bytes. */
  readonly size: number;
  /** To be called once; lets go of the file, and of what was not kept. */
  close(): void;
}

/** An archive that arrives. What is written nobody else sees before it is kept. */
export interface IncomingArchive extends StoredArchive, BlobSink {
  /** What has arrived: in memory also where the disk did not take it. To be asked for when all of it has. */
  readonly archive: Uint8Array | ArchiveFile;
  /** Whether all of it is, whatever its size. */
  readonly inMemory: boolean;
  /** As {@link ArchiveStore.put}: it is the caller who knows that it has its digest. */
  keep(): Promise<void>;
}

/** What a store is told, and tells. */
export interface StoreOptions {
  /** Told each time that the disk does not take what was to be kept: nothing fails by it. An `IO_ERROR` names the path. */
  readonly onRefused?: ((reason: Error) => void) | undefined;
}

/** Keeps archives by their digest, so that one is fetched once and installed many times, without a network too. */
export interface ArchiveStore {
  /** Whether an archive is kept; its bytes are not looked at. */
  has(digest: Digest): boolean;

  /** What an archive that is kept has, in bytes; nothing of it is looked at. */
  sizeOf(digest: Digest): number | undefined;

  /**
   * An archive's bytes, hashed while they are read.
   *
   * @returns `undefined` when it is not kept, was damaged (then it is removed, so that it is fetched anew), or the disk
   * does not let it be read (then it stays).
   * @throws `IO_ERROR` when too many files are open, or memory has run out: then it can be read later.
   */
  get(digest: Digest): Promise<Uint8Array | undefined>;

  /** As {@link get}; a large archive is hashed and left where it is. */
  open(digest: Digest, options?: StoreOpenOptions): Promise<StoredArchive | undefined>;

  /** Takes an archive that arrives. @param expected its size in bytes, where somebody states it; need not be true. */
  receive(digest: Digest, expected: number | undefined): IncomingArchive;

  /**
   * Keeps bytes under a digest that the caller has checked. A reader sees all of them or nothing. Where the store cannot
   * be written (read-only, full), nothing is kept and nothing fails.
   */
  put(digest: Digest, bytes: Uint8Array): Promise<void>;

  /**
   * The pack of an archive that was installed before, without unpacking and judging the archive again: a form of it that
   * is kept beside the archive. Every file has the digest that the manifest lists, and the manifest the expected tree
   * digest.
   *
   * @returns `undefined` when there is none that holds, or others may write to it: one that does not hold is removed.
   */
  getUnpacked(digest: Digest, expected: ExpectedPack): UnpackedPack | undefined;

  /**
   * Keeps the unpacked form of an archive that was opened, when it is not large. It is found damaged when it is read, so
   * nothing is flushed; where the store cannot be written, nothing is kept and nothing fails.
   */
  putUnpacked(digest: Digest, pack: OpenedPack): Promise<void>;

  info(): Promise<StoreInfo>;

  /**
   * Removes every archive with its unpacked form and what was being written, and nothing else that lies beside them.
   *
   * @throws `PATH_TRAVERSAL_BLOCKED` for a link in their place, `IO_ERROR`.
   */
  clean(): Promise<StoreCleaned>;

  /** Hashes everything. */
  verify(options?: StoreVerifyOptions): Promise<StoreVerified>;
}
