import type { PackDiagnostic } from '@skillpack/cli-dist';
import type { Digest } from '@skillpack/core';
import type { LoadedPack } from './load-pack.js';

/** A pack as a report tells of it. */
export interface DescribedPack {
  readonly name: string;
  readonly version: string;
  readonly format: string;
  /** Of the archive, in bytes. */
  readonly size: number;
  readonly digest: Digest;
  readonly treeDigest: Digest;
  readonly skills: readonly string[];
  readonly files: number;
  readonly ignored: readonly string[];
  readonly diagnostics: readonly PackDiagnostic[];
}

/** What a report tells of a pack: everything but its bytes. */
export function describePack({ manifest, archive, format, digest, ignored, diagnostics }: LoadedPack): DescribedPack {
  return {
    name: manifest.name,
    version: manifest.version,
    format,
    size: archive.length,
    digest,
    treeDigest: manifest.treeDigest,
    skills: manifest.skills.map(({ name }) => name),
    files: manifest.files.length,
    ignored,
    diagnostics,
  };
}
