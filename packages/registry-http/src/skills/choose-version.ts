import {
  isVersion,
  isVersionRange,
  newestInRange,
  offeredVersion,
  type Digest,
  type IndexProblemCode,
  type PackDocument,
  type PackName,
  type VersionRecord,
} from '@skillpack/core';

/** A pack whose skills are offered. */
export interface WantedPack {
  readonly name: PackName;
  /** A version, a range or a tag; `undefined` for what the registry shows of it. */
  readonly range: string | undefined;
}

/** Why each digest must not be used. */
export type RevokedDigests = ReadonlyMap<Digest, string>;

/** The version of a pack whose skills are offered, or why none is. */
export interface ChosenVersion {
  readonly record: VersionRecord | undefined;
  readonly problem: { readonly code: IndexProblemCode; readonly message: string } | undefined;
}

/**
 * Chooses a version of a pack: never a revoked one, and a yanked one only where exactly that version is named. That a
 * revocation changed the choice is a problem that goes with it.
 */
export function chooseVersion(document: PackDocument, wanted: WantedPack, revoked: RevokedDigests): ChosenVersion {
  const allowed = document.versions.filter((record) => reasonAgainst(record, revoked) === undefined);
  const [first, record] = [document.versions, allowed].map((versions) =>
    findVersion({ ...document, versions }, wanted),
  );
  const asked = `${wanted.name}${wanted.range === undefined ? '' : `@${wanted.range}`}`;
  if (first === undefined) {
    return { record: undefined, problem: { code: 'missing', message: `There is no version for ${asked}.` } };
  }
  if (first === record) return { record, problem: undefined };
  const instead = record === undefined ? 'No skill of it is offered.' : `${record.version} is offered instead.`;
  const message = `${wanted.name}@${first.version} was revoked: ${reasonAgainst(first, revoked)}. ${instead}`;
  return { record, problem: { code: 'ignored', message } };
}

/** Why a version must not be used, or `undefined`: its files or an archive of it are revoked. */
export function reasonAgainst(record: VersionRecord, revoked: RevokedDigests): string | undefined {
  const digests = [record.treeDigest, ...record.archives.map(({ digest }) => digest)];
  const reasons = digests.flatMap((digest) => revoked.get(digest) ?? []);
  return reasons[0];
}

function findVersion(document: PackDocument, { range }: WantedPack): VersionRecord | undefined {
  if (range === undefined) return offeredVersion(document);
  const exactly = document.versions.find(({ version }) => version === range);
  if (isVersion(range)) return exactly;
  const offered = document.versions.filter(({ yanked }) => yanked === null);
  const { tags } = document.head;
  const tagged = Object.hasOwn(tags, range) ? tags[range] : undefined;
  const version = isVersionRange(range)
    ? newestInRange(
        offered.map((record) => record.version),
        range,
      )
    : tagged;
  return offered.find((record) => record.version === version);
}
