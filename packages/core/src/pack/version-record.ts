import type { Sha256 } from '../digest/digest.js';
import type { Digest } from '../digest/is-digest.js';
import { formatManifest, type PackManifest } from './manifest.js';
import type { ArchiveRecord, PackDocument, VersionRecord } from './pack-document.js';
import type { PackSummary } from './pack-registry.js';
import { compareVersions, isPrerelease } from './version.js';

/** What a registry adds to a manifest to make a version's record. */
export interface PublicationFacts {
  readonly archives: readonly ArchiveRecord[];
  readonly published: Date;
}

/** A version's record, and its manifest as the blob that the record names. */
export interface DescribedVersion {
  readonly record: VersionRecord;
  readonly manifest: { readonly digest: Digest; readonly text: string };
}

/** What a registry writes down of a pack that it takes. Same manifest, same manifest blob, on every registry. */
export function describeVersion(manifest: PackManifest, facts: PublicationFacts, sha256: Sha256): DescribedVersion {
  const text = formatManifest(manifest);
  const digest = sha256(text);
  return {
    manifest: { digest, text },
    record: {
      version: manifest.version,
      published: facts.published.toISOString(),
      archives: facts.archives,
      treeDigest: manifest.treeDigest,
      manifest: digest,
      skills: manifest.skills.map(({ name }) => name),
      dependencies: manifest.dependencies,
      requires: manifest.requires,
      yanked: null,
      signatures: [],
    },
  };
}

/** Whether two records are of the same content: the same files, and the same manifest about them. */
export function isSameContent(left: VersionRecord, right: VersionRecord): boolean {
  return left.treeDigest === right.treeDigest && left.manifest === right.manifest;
}

/**
 * The tag that a publication moves when the publisher names none: `latest`, and only forward. None for a prerelease, and
 * none for a version that is not newer than `latest`, the one tagged so at present: a mend of an older line.
 */
export function defaultTagOf(version: string, latest: string | undefined): 'latest' | null {
  if (isPrerelease(version)) return null;
  return latest === undefined || compareVersions(version, latest) > 0 ? 'latest' : null;
}

/**
 * The version that a registry shows of a pack in its search and to discovery clients: the one tagged `latest`, or,
 * where that was yanked or never set, the newest that is not yanked, releases before prereleases.
 *
 * @returns `undefined` when every version is yanked.
 */
export function offeredVersion(document: PackDocument): VersionRecord | undefined {
  const offered = document.versions.filter(({ yanked }) => yanked === null);
  const latest = offered.find(({ version }) => version === document.head.tags['latest']);
  if (latest !== undefined) return latest;
  return offered.toSorted(
    (left, right) =>
      Number(isPrerelease(left.version)) - Number(isPrerelease(right.version)) ||
      compareVersions(right.version, left.version),
  )[0];
}

/** A pack as a search shows it; `manifest` is that of {@link offeredVersion}. */
export function summarisePack(document: PackDocument, manifest: PackManifest): PackSummary {
  return {
    name: document.head.name,
    version: manifest.version,
    description: manifest.description,
    keywords: manifest.keywords,
    skills: manifest.skills.map(({ name }) => name),
    deprecated: document.head.deprecated,
  };
}
