import type { ArchiveFormat, ArchiveLimits, Digest, PackManifest, SkillSeverity } from '@skillpack/core';

/** How a pack is made. */
export interface PackOptions {
  /** @default 'tgz' */
  readonly format?: ArchiveFormat | undefined;
  /** The organisation of a pack that skillpack.json gives no name. */
  readonly org?: string | undefined;
  /** Instead of the version that skillpack.json or the skill states. */
  readonly version?: string | undefined;
  /**
   * Where it is known from that a file can be run: its mode, or whether it begins with `#!`.
   *
   * @default 'mode'; 'shebang' on Windows, where files have no such mode
   */
  readonly executable?: 'mode' | 'shebang' | undefined;
  /** What a pack may measure. @default defaultArchiveLimits */
  readonly limits?: ArchiveLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One finding about a folder that is packed. None of them keeps the pack from being made. */
export interface PackDiagnostic {
  /** A code of `skillDiagnostics`, or one of packing alone: see docs/packing.md. */
  readonly code: string;
  readonly severity: SkillSeverity;
  /** Relative to the folder that is packed, slash-separated. */
  readonly path: string;
  /** From 1; `undefined` for a finding about a whole file. */
  readonly line: number | undefined;
  /** What was found. Holds no control or invisible character. */
  readonly message: string;
  /** What to do, or what was done. */
  readonly fix: string;
}

/** A skill of a pack, and where it was found. */
export interface PackedSkill {
  readonly name: string;
  /** Relative to the folder that is packed, slash-separated; `.` for that folder itself. */
  readonly folder: string;
}

/** A pack, ready to be published or installed. */
export interface PackedPack {
  readonly manifest: PackManifest;
  readonly archive: Uint8Array;
  readonly format: ArchiveFormat;
  /** Of the archive. */
  readonly digest: Digest;
  /** Of the content, the same in every format. */
  readonly treeDigest: Digest;
  readonly skills: readonly PackedSkill[];
  readonly diagnostics: readonly PackDiagnostic[];
  /** What was left out, relative to the folder that is packed; a folder ends with a slash. In byte order. */
  readonly ignored: readonly string[];
}
