import type { ArchiveFormat, Digest, PackManifest, PackName } from '@skillpack/core';
import type { InstallRoot } from '../root/install-root.js';

/** What is to be verified. */
export interface VerifyRequest {
  readonly root: InstallRoot;
  /** Packs or skills; empty: everything, strangers included. @default [] */
  readonly names?: readonly string[] | undefined;
}

/** How it is verified. */
export interface VerifyOptions {
  /** Told when what an interrupted change had left was dealt with first. */
  readonly onRecovered?: ((outcome: 'finished' | 'discarded') => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told after every pack. */
  readonly onProgress?: ((done: { readonly packs: number; readonly of: number }) => void) | undefined;
}

/** One file that is not as it was installed. `path` is relative to the root, slash-separated. */
export type FileFinding =
  | { readonly kind: 'modified'; readonly path: string; readonly expected: Digest; readonly actual: Digest }
  | { readonly kind: 'missing'; readonly path: string }
  /** No file of the pack. */
  | { readonly kind: 'extra'; readonly path: string }
  /** The execute bit was set or taken away. Not judged on Windows. */
  | { readonly kind: 'mode'; readonly path: string; readonly expectedExecutable: boolean }
  /** The same name but for upper and lower case, or for how its characters are composed. */
  | { readonly kind: 'renamed'; readonly path: string; readonly actual: string }
  /** A link stands where a file or a folder was installed. */
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  /** Something else stands there: a folder for a file, a file for a folder, a device. */
  | { readonly kind: 'kind'; readonly path: string; readonly expected: 'file' | 'folder'; readonly actual: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly reason: string };

/** What is wrong with the records of one pack. */
export type RecordFinding =
  | { readonly kind: 'receipt-missing'; readonly path: string }
  | { readonly kind: 'receipt-invalid'; readonly path: string; readonly reason: string }
  | { readonly kind: 'manifest-missing'; readonly path: string }
  | { readonly kind: 'manifest-invalid'; readonly path: string; readonly reason: string }
  /** Receipt, manifest and lock file do not speak of the same content: one of them was changed. */
  | {
      readonly kind: 'digest-mismatch';
      readonly between: 'receipt-and-manifest' | 'receipt-and-lock';
      readonly expected: Digest;
      readonly actual: Digest;
    }
  /** Two of them do not say the same of one field. `expected` is of the one that is locked, or else of the receipt. */
  | {
      readonly kind: 'record-mismatch';
      readonly between: 'receipt-and-manifest' | 'receipt-and-lock' | 'manifest-and-lock' | 'project-and-lock';
      readonly field: 'name' | 'version' | 'integrity' | 'source' | 'skills' | 'dependencies' | 'range';
      readonly expected: string;
      readonly actual: string;
    }
  | { readonly kind: 'not-locked' }
  | { readonly kind: 'not-installed'; readonly locked: string }
  | { readonly kind: 'other-version'; readonly locked: string; readonly installed: string }
  /** A link that was made for another agent is gone or points elsewhere. */
  | { readonly kind: 'link-changed'; readonly path: string };

/** What was found about one pack. */
export interface VerifiedPack {
  readonly name: PackName;
  /** Installed, or else locked. */
  readonly version: string | undefined;
  readonly skills: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly ok: boolean;
  readonly findings: readonly (FileFinding | RecordFinding)[];
}

/** A folder that no pack owns, and that stands in for a skill that a pack brought. */
export interface ShadowingFolder {
  /** Relative to the root, slash-separated. */
  readonly path: string;
  /** The installed skill whose name it bears, by its own name or in its SKILL.md. */
  readonly skill: string;
  readonly pack: PackName;
}

/** What a verification found. */
export interface VerifyReport {
  readonly root: string;
  /**
   * Whether everything installed is as it was installed and as it is locked, and nothing stands in for it: not so where
   * packs are installed without a lock file. Other strangers do not count.
   */
  readonly ok: boolean;
  readonly packs: readonly VerifiedPack[];
  /** Folders of the root that no pack owns: a person's own skills. */
  readonly untracked: readonly string[];
  /** Those of them, or below them, that stand in for a skill of a pack that was verified. */
  readonly shadowing: readonly ShadowingFolder[];
  /** Whether a lock file was there to compare with. */
  readonly locked: boolean;
  /** Hashed. */
  readonly files: number;
  readonly bytes: number;
}

/** What an archive holds, after every byte of it was judged. */
export interface ArchiveReport {
  readonly format: ArchiveFormat;
  /** Of the archive itself. */
  readonly digest: Digest;
  readonly size: number;
  /** As an install of it has it. */
  readonly treeDigest: Digest;
  /** The names they are installed under. */
  readonly skills: readonly string[];
  readonly files: number;
  /** Unpacked. */
  readonly bytes: number;
  /** `undefined` for an archive without one: nothing but its digest vouches for it. */
  readonly manifest: PackManifest | undefined;
}
