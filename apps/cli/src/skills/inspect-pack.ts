import {
  compareVersions,
  isVersionRange,
  offeredVersion,
  satisfiesRange,
  SkillsError,
  type PackDocument,
  type PackName,
  type PackRegistry,
  type VersionRecord,
} from '@skillpack/core';

/** A pack of a registry in detail. */
export interface InspectedPack {
  readonly kind: 'pack';
  readonly name: PackName;
  readonly registry: string;
  readonly description: string;
  readonly license: string | null;
  readonly deprecated: string | null;
  readonly tags: Readonly<Record<string, string>>;
  /** The version that was asked for. */
  readonly version: VersionRecord;
  /** Every version, newest first. */
  readonly versions: readonly {
    readonly version: string;
    readonly published: string;
    readonly yanked: string | null;
  }[];
}

/** Which version of which pack. */
export interface PackReference {
  readonly name: PackName;
  /** A range or a tag. @default what a registry offers: the version tagged `latest` */
  readonly range: string | undefined;
}

/** What a registry says of a pack. @throws `PACK_NOT_FOUND`, `VERSION_NOT_FOUND`, and what the registry throws. */
export async function inspectPack(
  { name, range }: PackReference,
  registry: PackRegistry,
  options: { readonly signal: AbortSignal },
): Promise<InspectedPack> {
  const document = await registry.getPack(name, options);
  const { head } = document;
  return {
    kind: 'pack',
    name,
    registry: registry.location,
    description: head.description,
    license: head.license ?? null,
    deprecated: head.deprecated,
    tags: head.tags,
    version: chooseVersion(document, range),
    versions: byAge(document.versions).map(({ version, published, yanked }) => ({ version, published, yanked })),
  };
}

function chooseVersion(document: PackDocument, range: string | undefined): VersionRecord {
  const { head, versions } = document;
  const found =
    range === undefined
      ? offeredVersion(document)
      : isVersionRange(range)
        ? newestIn(versions, range)
        : versions.find(({ version }) => version === head.tags[range]);
  if (found !== undefined) return found;
  const known = [...Object.keys(head.tags), ...byAge(versions).map(({ version }) => version)].slice(0, 20);
  throw new SkillsError('VERSION_NOT_FOUND', `${head.name} has no version for “${range ?? 'latest'}”.`, {
    hint: `It has ${known.join(', ')}.`,
    data: { name: head.name, range: range ?? null, known },
  });
}

/** A withdrawn version is shown only where no other fits. */
function newestIn(versions: readonly VersionRecord[], range: string): VersionRecord | undefined {
  const fitting = byAge(versions).filter(({ version }) => version === range || satisfiesRange(version, range));
  return fitting.find(({ yanked }) => yanked === null) ?? fitting[0];
}

function byAge(versions: readonly VersionRecord[]): readonly VersionRecord[] {
  return versions.toSorted((left, right) => compareVersions(right.version, left.version));
}
