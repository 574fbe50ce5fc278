import {
  parseManifest,
  SkillsError,
  treeDigestOf,
  type ManifestSkill,
  type PackFile,
  type PackManifest,
  type PackName,
  type PackRegistry,
  type Sha256,
  type SkillEntry,
  type SkillScope,
  type VersionRecord,
} from '@skillpack/core';
import { describedHead } from './described-head.js';

/** A version whose skills are offered. */
export interface RemotePack {
  readonly name: PackName;
  readonly record: VersionRecord;
  readonly manifest: PackManifest;
}

/** Where the documents of a pack come from. */
export interface ReadRemotePackPorts {
  readonly packs: PackRegistry;
  readonly sha256: Sha256;
}

const maxManifestBytes = 4 * 1024 * 1024;

/**
 * Reads the manifest of a version, without its archive.
 *
 * @throws `INTEGRITY_MISMATCH` when it is not that of the version, `INVALID_MANIFEST`, and what the registry throws.
 */
export async function readRemotePack(
  { name, record }: Pick<RemotePack, 'name' | 'record'>,
  { packs, sha256 }: ReadRemotePackPorts,
  options: { readonly signal?: AbortSignal | undefined },
): Promise<RemotePack> {
  const bytes = await packs.getBlob({ digest: record.manifest, size: maxManifestBytes }, options);
  const what = `The manifest of ${name}@${record.version}`;
  expectSame(what, { expected: record.manifest, actual: sha256(bytes) });
  const manifest = parseManifest(new TextDecoder().decode(bytes), sha256);
  const identity = ({ version, treeDigest }: Pick<PackManifest, 'version' | 'treeDigest'>): string =>
    `${version} with the tree ${treeDigest}`;
  expectSame(what, { expected: name, actual: manifest.name });
  expectSame(what, { expected: identity(record), actual: identity(manifest) });
  expectSame(what, {
    expected: record.skills.toSorted().join(', '),
    actual: manifest.skills
      .map((skill) => skill.name)
      .toSorted()
      .join(', '),
  });
  return { name, record, manifest };
}

/** @throws `INTEGRITY_MISMATCH` when they are not the same. */
export function expectSame(
  what: string,
  { expected, actual }: { readonly expected: string; readonly actual: string },
): void {
  if (expected === actual) return;
  throw new SkillsError('INTEGRITY_MISMATCH', `${what} says ${actual}, expected ${expected}.`, {
    hint: 'Nothing of it is used. Tell whoever runs the registry.',
    data: { expected, actual },
  });
}

/** The files of a skill, by their paths in its folder. */
export function filesOfSkill({ manifest }: RemotePack, { path }: ManifestSkill): readonly PackFile[] {
  const folder = `${path}/`;
  return manifest.files
    .filter((file) => file.path.startsWith(folder))
    .map((file) => ({ ...file, path: file.path.slice(folder.length) }));
}

/** Where a pack is, for people: `https://host/skills/org/pdf`. */
export function packLocation(registry: string, name: PackName): string {
  return `${registry}${registry.endsWith('/') ? '' : '/'}${name}`;
}

/** A skill as the manifest describes it: what only its SKILL.md says is left open, and it counts as one for a model. */
export function remoteEntry(
  pack: RemotePack,
  skill: ManifestSkill,
  { registry, scope, sha256 }: { readonly registry: string; readonly scope: SkillScope; readonly sha256: Sha256 },
): SkillEntry {
  const { name, record, manifest } = pack;
  return {
    name: skill.name,
    scope,
    location: `${packLocation(registry, name)}@${record.version}#${skill.name}`,
    pack: name,
    packVersion: record.version,
    digest: treeDigestOf(filesOfSkill(pack, skill), sha256),
    head: describedHead({ name: skill.name, description: skill.description, license: manifest.license }),
    diagnostics: [],
  };
}
