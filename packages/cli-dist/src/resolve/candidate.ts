import type { Digest, PackName, VersionRecord } from '@skillpack/core';

/** Where the bytes of a version are. */
export type PackSource =
  | {
      readonly kind: 'registry';
      readonly registry: string;
      readonly integrity: Digest;
      /** In bytes; `undefined` when only the lock file was asked. */
      readonly size: number | undefined;
    }
  | { readonly kind: 'url'; readonly url: string; readonly integrity: Digest }
  /** An archive on this machine, by its absolute path. */
  | { readonly kind: 'file'; readonly path: string; readonly integrity: Digest }
  /** A folder on this machine, by its absolute path. */
  | { readonly kind: 'folder'; readonly path: string };

/** One version of one pack that could be installed. */
export interface Candidate {
  readonly name: PackName;
  readonly version: string;
  readonly treeDigest: Digest;
  readonly skills: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly source: PackSource;
}

/** A version as a registry offers it. @param registry its address. */
export function candidateOf(name: PackName, record: VersionRecord, registry: string): Candidate {
  const archive = record.archives.find(({ format }) => format === 'tgz') ?? record.archives[0];
  if (archive === undefined) throw new Error(`${name}@${record.version} has no archive`);
  return {
    name,
    version: record.version,
    treeDigest: record.treeDigest,
    skills: record.skills,
    dependencies: record.dependencies,
    source: { kind: 'registry', registry, integrity: archive.digest, size: archive.size },
  };
}
