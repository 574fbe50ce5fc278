import type { ArchiveFormat } from './pack-archive.js';
import type { Digest } from '../digest/is-digest.js';
import type { PackDocument, VersionRecord } from './pack-document.js';
import type { PackName } from './pack-name.js';
import type { Revocation } from './registry-info.js';

/** How a registry is read. */
export interface RegistryReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Which blob is wanted. */
export interface BlobRequest {
  readonly digest: Digest;
  /** As the index states it; more bytes are refused while they arrive. */
  readonly size: number;
}

/** How a blob is fetched. */
export interface BlobReadOptions extends RegistryReadOptions {
  /** Told of every piece that arrives, in bytes. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

/** Takes a blob as it arrives. */
export interface BlobSink {
  /** The next bytes; they may be reused once it returns. A `SkillsError` that it throws ends the transfer. */
  write(chunk: Uint8Array): void;
  /** What was written so far is void: the blob comes again, from its beginning. */
  restart(): void;
}

/** One hit of a search. */
export interface PackSummary {
  readonly name: PackName;
  /** The version tagged `latest`. */
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly skills: readonly string[];
  readonly deprecated: string | null;
}

/** How a registry is searched. */
export interface SearchOptions extends RegistryReadOptions {
  /** @default 20 */
  readonly limit?: number | undefined;
}

/** Offers packs: what the package manager reads. Implementations run `packRegistryContract` of `@skillpack/core/testing`. */
export interface PackRegistry {
  /** Its address without credentials, as lock files state it. */
  readonly location: string;

  /**
   * All that is said of one pack, yanked versions included.
   *
   * @throws `PACK_NOT_FOUND`, `INVALID_INDEX`, `UNAUTHORIZED`, `OFFLINE`, and what the transport throws.
   */
  getPack(name: PackName, options?: RegistryReadOptions): Promise<PackDocument>;

  /**
   * A blob's bytes, hashed while they arrive.
   *
   * @throws `INTEGRITY_MISMATCH` when they are not those of the digest, `BLOB_NOT_FOUND`, `FILE_TOO_LARGE`, and what
   * the transport throws.
   */
  getBlob(request: BlobRequest, options?: BlobReadOptions): Promise<Uint8Array>;

  /**
   * As {@link getBlob}, for a blob that is too large to be held: its bytes are handed over as they arrive. Until the
   * promise is fulfilled nothing vouches for them; then they have the digest. A registry without it is asked for bytes.
   *
   * @throws what {@link getBlob} throws, and what the sink does.
   */
  copyBlob?(request: BlobRequest, sink: BlobSink, options?: BlobReadOptions): Promise<void>;

  /** Packs for a few words, best first. */
  search(words: string, options?: SearchOptions): Promise<readonly PackSummary[]>;

  /** Everything revoked; empty when the registry revokes nothing. */
  getRevocations(options?: RegistryReadOptions): Promise<readonly Revocation[]>;
}

/** What is published. */
export interface PublishRequest {
  /** The archive, with its manifest inside. */
  readonly archive: Uint8Array;
  readonly format: ArchiveFormat;
  /** Tag to move to this version. @default 'latest' for a release that is newer than the one tagged so, else none */
  readonly tag?: string | undefined;
}

/** What came of it. */
export interface PublishedPack {
  readonly name: PackName;
  readonly record: VersionRecord;
  readonly tags: Readonly<Record<string, string>>;
  /** `false` when the very same content was published before and nothing had to be done. */
  readonly created: boolean;
  /** Whether blobs of it were missing or damaged, and are whole again, where the registry tells. @default false */
  readonly repaired?: boolean | undefined;
}

/** Takes packs. */
export interface PackPublisher {
  /**
   * Publishes an archive. Of two publishers of one version with different content, one wins and the other is told;
   * the same content again changes nothing.
   *
   * @throws `VERSION_EXISTS`, `ARCHIVE_REFUSED`, `INVALID_MANIFEST`, `UNAUTHORIZED`, and what the transport throws.
   */
  publish(request: PublishRequest, options?: RegistryReadOptions): Promise<PublishedPack>;
}

/** Changes what a registry says of packs it has. A version itself never changes. */
export interface PackCurator {
  /**
   * Withdraws a version from new resolutions, or (`null`) offers it again; locked installs go on working, warned.
   *
   * @throws `PACK_NOT_FOUND`, `VERSION_NOT_FOUND`, and what the transport throws.
   */
  yank(version: VersionReference, reason: string | null): Promise<PackDocument>;

  /** Says why a pack should not be used any more, or (`null`) takes that back. @throws `PACK_NOT_FOUND`. */
  deprecate(name: PackName, reason: string | null): Promise<PackDocument>;

  /** Moves a tag to a version. @throws `USAGE` for what is no tag, `PACK_NOT_FOUND`, `VERSION_NOT_FOUND`. */
  tag(version: VersionReference, tag: string): Promise<PackDocument>;
}

/** One version of one pack. */
export interface VersionReference {
  readonly name: PackName;
  readonly version: string;
}
