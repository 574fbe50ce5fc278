import type { Digest } from '@skillpack/core';
import type { OpenedPack } from './opened-pack.js';
import type { ExpectedPack, UnpackedPack } from './unpacked-pack.js';

/** What a store holds. */
export interface StoreInfo {
  /** The folder it lies in. */
  readonly path: string;
  readonly archives: number;
  /** Of all archives together, and of the unpacked forms that are kept beside some. */
  readonly bytes: number;
}

/** What was removed from a store. */
export interface StoreCleaned {
  readonly archives: number;
  /** Of archives and unpacked forms. */
  readonly bytes: number;
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

/** Keeps archives by their digest, so that one is fetched once and installed many times, without a network too. */
export interface ArchiveStore {
  /** Whether an archive is kept; its bytes are not looked at. */
  has(digest: Digest): boolean;

  /**
   * An archive's bytes, hashed while they are read.
   *
   * @returns `undefined` when it is not kept, or was damaged: then it is removed, so that it is fetched anew.
   */
  get(digest: Digest): Promise<Uint8Array | undefined>;

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

  /** Removes every archive with its unpacked form, and nothing else that lies beside them. @throws `PATH_TRAVERSAL_BLOCKED` for a link in their place. */
  clean(): Promise<StoreCleaned>;

  /** Hashes everything. */
  verify(options?: StoreVerifyOptions): Promise<StoreVerified>;
}
