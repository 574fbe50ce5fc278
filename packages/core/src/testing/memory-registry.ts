import { SkillsError } from '../errors/skills-error.js';
import { checkAborted } from '../errors/until-aborted.js';
import type { Sha256 } from '../digest/digest.js';
import type { Digest } from '../digest/is-digest.js';
import { parseManifest, type PackManifest } from '../pack/manifest.js';
import type { ArchiveReader } from '../pack/pack-archive.js';
import type { PackDocument, VersionRecord } from '../pack/pack-document.js';
import { isTagName } from '../pack/tag-name.js';
import type { PackName } from '../pack/pack-name.js';
import type {
  BlobReadOptions,
  BlobRequest,
  BlobSink,
  PackCurator,
  PackPublisher,
  PackRegistry,
  PackSummary,
  PublishedPack,
  PublishRequest,
  RegistryReadOptions,
  SearchOptions,
  VersionReference,
} from '../pack/pack-registry.js';
import type { Revocation } from '../pack/registry-info.js';
import { searchCatalogue } from '../pack/search-catalogue.js';
import { defaultTagOf, describeVersion, isSameContent, offeredVersion, summarisePack } from '../pack/version-record.js';

/** What a memory registry works with. */
export interface MemoryRegistryPorts {
  readonly archives: ArchiveReader;
  readonly sha256: Sha256;
  now(): Date;
}

/** How a memory registry begins. */
export interface MemoryRegistryOptions {
  /** @default 'memory:' */
  readonly location?: string | undefined;
  /** What it revokes. @default [] */
  readonly revocations?: readonly Revocation[] | undefined;
}

/** A registry that lives in this process; besides its ports, tests may change what it holds. */
export interface MemoryRegistry extends PackRegistry, PackPublisher, PackCurator {
  /** Replaces a blob's bytes, as a broken or hostile host would: whatever they are, they are served under this digest. */
  tamper(digest: Digest, bytes: Uint8Array): void;
  /** Adds to what is revoked. */
  revoke(revocation: Revocation): void;
  /** Every call so far, as `getPack org/pdf`, `getBlob sha256:…`: how a test counts requests. */
  readonly calls: readonly string[];
}

/** A registry without a disk or a network, held to the same contract as the real ones. */
export function createMemoryRegistry(ports: MemoryRegistryPorts, options: MemoryRegistryOptions = {}): MemoryRegistry {
  const packs = new Map<PackName, PackDocument>();
  const blobs = new Map<Digest, Uint8Array>();
  const revocations = [...(options.revocations ?? [])];
  const calls: string[] = [];

  const documentOf = (name: PackName): PackDocument => {
    const document = packs.get(name);
    if (document === undefined)
      throw new SkillsError('PACK_NOT_FOUND', `There is no pack ${name}.`, { data: { name } });
    return document;
  };
  const replace = (document: PackDocument): PackDocument => {
    packs.set(document.head.name, document);
    return document;
  };
  const manifestOf = (record: VersionRecord): PackManifest =>
    parseManifest(new TextDecoder().decode(blobs.get(record.manifest)), ports.sha256);

  const blobOf = ({ digest, size }: BlobRequest, { signal, onProgress }: BlobReadOptions): Uint8Array => {
    calls.push(`getBlob ${digest}`);
    checkAborted(signal);
    const bytes = blobs.get(digest);
    if (bytes === undefined) throw new SkillsError('BLOB_NOT_FOUND', `There is no blob ${digest}.`);
    if (bytes.length > size) {
      throw new SkillsError('FILE_TOO_LARGE', `${digest} has ${bytes.length} bytes, expected at most ${size}.`);
    }
    const actual = ports.sha256(bytes);
    if (actual !== digest) {
      throw new SkillsError('INTEGRITY_MISMATCH', `The blob has digest ${actual}, expected ${digest}.`);
    }
    onProgress?.(bytes.length);
    return bytes;
  };

  return {
    location: options.location ?? 'memory:',
    calls,
    tamper: (digest, bytes) => void blobs.set(digest, bytes),
    revoke: (revocation) => void revocations.push(revocation),

    async getPack(name: PackName, { signal }: RegistryReadOptions = {}) {
      calls.push(`getPack ${name}`);
      checkAborted(signal);
      return documentOf(name);
    },
    async getBlob(request: BlobRequest, readOptions: BlobReadOptions = {}) {
      return blobOf(request, readOptions);
    },
    async copyBlob(request: BlobRequest, sink: BlobSink, readOptions: BlobReadOptions = {}) {
      sink.write(blobOf(request, readOptions));
    },
    async search(words: string, { limit, signal }: SearchOptions = {}) {
      calls.push(`search ${words}`);
      checkAborted(signal);
      return searchCatalogue(
        [...packs.values()].flatMap((document) => summaryOf(document, manifestOf)),
        words,
        limit,
      );
    },
    async getRevocations({ signal }: RegistryReadOptions = {}) {
      calls.push('getRevocations');
      checkAborted(signal);
      return [...revocations];
    },

    async publish(request: PublishRequest, { signal }: RegistryReadOptions = {}): Promise<PublishedPack> {
      calls.push('publish');
      checkAborted(signal);
      const tag = checkTag(request.tag);
      const { manifest, format } = await ports.archives.open(request.archive, { signal });
      if (manifest === undefined) {
        throw new SkillsError(
          'INVALID_MANIFEST',
          'The archive has no manifest.json, so nothing says which pack it is.',
        );
      }
      const archive = { format, digest: ports.sha256(request.archive), size: request.archive.length };
      const described = describeVersion(manifest, { archives: [archive], published: ports.now() }, ports.sha256);
      const { name, version, description, license } = manifest;
      const present = packs.get(name);
      const existing = present?.versions.find((record) => record.version === version);
      if (present !== undefined && existing !== undefined) {
        if (isSameContent(existing, described.record)) {
          return { name, record: existing, tags: present.head.tags, created: false };
        }
        throw new SkillsError('VERSION_EXISTS', `${name}@${version} is published already, with other content.`);
      }
      blobs.set(archive.digest, request.archive.slice());
      blobs.set(described.manifest.digest, new TextEncoder().encode(described.manifest.text));
      const moved = tag ?? defaultTagOf(version, present?.head.tags['latest']);
      const tags = { ...present?.head.tags, ...(moved === null ? {} : { [moved]: version }) };
      // What is tagged `latest` speaks for the pack.
      const speaks = present === undefined || tags['latest'] === version;
      replace({
        head: {
          name,
          description: speaks ? description : present.head.description,
          license: speaks ? license : present.head.license,
          tags,
          deprecated: present?.head.deprecated ?? null,
        },
        versions: [...(present?.versions ?? []), described.record],
      });
      return { name, record: described.record, tags, created: true };
    },

    async yank(reference: VersionReference, reason: string | null) {
      const document = documentOf(reference.name);
      const record = versionOf(document, reference);
      const versions = document.versions.map((other) => (other === record ? { ...record, yanked: reason } : other));
      return replace({ ...document, versions });
    },
    async deprecate(name: PackName, reason: string | null) {
      const document = documentOf(name);
      return replace({ ...document, head: { ...document.head, deprecated: reason } });
    },
    async tag(reference: VersionReference, tag: string) {
      checkTag(tag);
      const document = documentOf(reference.name);
      const { version } = versionOf(document, reference);
      return replace({ ...document, head: { ...document.head, tags: { ...document.head.tags, [tag]: version } } });
    },
  };
}

function summaryOf(document: PackDocument, manifestOf: (record: VersionRecord) => PackManifest): PackSummary[] {
  const offered = offeredVersion(document);
  return offered === undefined ? [] : [summarisePack(document, manifestOf(offered))];
}

function versionOf(document: PackDocument, { name, version }: VersionReference): VersionRecord {
  const record = document.versions.find((other) => other.version === version);
  if (record !== undefined) return record;
  throw new SkillsError('VERSION_NOT_FOUND', `${name} has no version ${version}.`, { data: { name, version } });
}

function checkTag(tag: string | undefined): string | undefined {
  if (tag === undefined || isTagName(tag)) return tag;
  throw new SkillsError('USAGE', `“${tag}” is not a tag.`, {
    hint: 'A tag is 1 to 64 of a-z, 0-9, “.”, “_” and “-”, begins with a letter and is no version range.',
  });
}
