import type { Digest, PackName } from '@skillpack/core';

/** Where a pack comes from. `location`: a registry's address, a URL without credentials, or an absolute path. */
export interface PackOrigin {
  readonly kind: 'registry' | 'url' | 'file' | 'folder';
  readonly location: string;
}

/** A pack that an install concerns. */
export interface ChangedPack {
  readonly name: PackName;
  readonly version: string;
  readonly skills: readonly string[];
}

/** A pack that is installed once the install is done. */
export interface InstalledNow extends ChangedPack {
  readonly origin: PackOrigin;
  readonly treeDigest: Digest;
  /** Who wants it: packs (`org/a@1.0.0`), or nobody but the person. */
  readonly neededBy: readonly string[];
}

/** A pack that was installed before, too. */
export interface InstalledBefore extends InstalledNow {
  /** Where it came from until now, when it comes from elsewhere from now on. */
  readonly movedFrom?: PackOrigin;
}

/** What an install does to one pack. */
export type PackChange =
  | (InstalledNow & { readonly kind: 'add' })
  /** Another version, or other content, takes the place of `from`. `removedSkills` are not in the new version. */
  | (InstalledBefore & { readonly kind: 'update'; readonly from: string; readonly removedSkills: readonly string[] })
  /** The version is installed, but part of it was missing, or edited and to be replaced. */
  | (InstalledBefore & { readonly kind: 'repair' })
  /** The files stay as they are. */
  | (InstalledBefore & { readonly kind: 'keep' })
  /** Nothing wants it any more. */
  | (ChangedPack & { readonly kind: 'remove' });

/** Something a person should know that does not stop an install. */
export type InstallWarning =
  /** The version was withdrawn; it is installed because it is locked. */
  | { readonly kind: 'yanked'; readonly name: PackName; readonly version: string; readonly reason: string }
  | { readonly kind: 'deprecated'; readonly name: PackName; readonly reason: string }
  /** The pack needs something of the machine that is not there. */
  | {
      readonly kind: 'requires';
      readonly name: PackName;
      readonly what: 'program' | 'environment' | 'platform';
      readonly missing: string;
    }
  /** An installed pack was revoked; it stays until it is removed or updated. */
  | { readonly kind: 'revoked'; readonly name: PackName; readonly version: string; readonly reason: string }
  /** A registry could not be asked what it has revoked. */
  | { readonly kind: 'revocations-unchecked'; readonly registry: string; readonly reason: string }
  /** Something that is not our link is where one belongs; it was left alone. */
  | { readonly kind: 'link-blocked'; readonly target: string; readonly path: string; readonly reason: string }
  /** A pack is installed that neither `skillpack.json` nor the lock file knows. */
  | { readonly kind: 'unlocked'; readonly name: PackName; readonly version: string }
  /** Files of an installed pack were edited or added and stay as they are. Paths begin with the skill. */
  | { readonly kind: 'edited'; readonly name: PackName; readonly version: string; readonly files: readonly string[] }
  /** A folder that no pack owns stands in for a skill of an installed pack. `path` is absolute. */
  | { readonly kind: 'shadowed'; readonly name: PackName; readonly skill: string; readonly path: string }
  /** Installed, but the lock file was changed by somebody else at the last moment and was left as they made it. */
  | { readonly kind: 'lock-changed'; readonly path: string };

/** What an install did, or with `dryRun` would do. */
export interface InstallReport {
  /** The folder of the skills. */
  readonly root: string;
  readonly dryRun: boolean;
  /** One entry a pack, by name; packs that stay as they are included. */
  readonly changes: readonly PackChange[];
  readonly warnings: readonly InstallWarning[];
  /** Folders that edited files, and what somebody changed at the last moment, were moved to. */
  readonly backups: readonly string[];
  /** The links for other agents that were (or would be) made and removed: absolute paths, sorted. */
  readonly links: { readonly made: readonly string[]; readonly removed: readonly string[] };
  /** What came over the network. */
  readonly downloaded: { readonly archives: number; readonly bytes: number };
  /** Whether `skillpack.json` or the lock file were (or would be) written. */
  readonly saved: { readonly projectFile: boolean; readonly lockFile: boolean };
}
