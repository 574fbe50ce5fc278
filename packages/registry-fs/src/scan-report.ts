import type { Digest, SkillConflict, SkillDiagnostic, SkillHead, SkillScope } from '@skillpack/core';

/** A folder that may hold skills. */
export interface SkillRoot {
  /** Absolute. */
  readonly path: string;
  readonly scope: SkillScope;
  /** Whether somebody named it, so that a person should know when it is not there. @default false */
  readonly named?: boolean | undefined;
}

/** A skill on the disk: what its front matter says, and where it is. Its body was not read. */
export interface FoundSkill {
  /** The name it gives itself; of a skill that a pack brought, the one it was installed under, which is its folder's. */
  readonly name: string;
  readonly scope: SkillScope;
  /** The root it was found under, absolute. */
  readonly root: string;
  /** Its folder, absolute, as reached from the root: perhaps through links. */
  readonly path: string;
  /** Its folder, absolute, with every link resolved. */
  readonly realPath: string;
  /** Its SKILL.md, absolute. */
  readonly file: string;
  /** The pack that brought it, by its receipt. */
  readonly pack: string | undefined;
  /** The version of that pack; the skill's own (`head.version`) may be another. */
  readonly packVersion: string | undefined;
  /** Its `name` is the one that the skill gives itself. */
  readonly head: SkillHead;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Why a folder offers no skill:
 *
 * - `no-skill-file`: neither it nor a folder below it has a SKILL.md;
 * - `invalid-skill`: its SKILL.md was refused, see the diagnostics;
 * - `not-a-file`: its SKILL.md is a folder, a device or a pipe;
 * - `link-outside`: its SKILL.md is a link that leads out of the folder, or it is itself one out of what the scan is confined to;
 * - `broken-link`: a link leads nowhere;
 * - `unreadable`: the system refuses to read it;
 * - `too-large`: its SKILL.md is over the limit;
 * - `too-deep`: it lies deeper than the limit;
 * - `too-many-folders`: the root has more folders than the limit, and this is the first that was not looked at;
 * - `seen-before`: a link to a folder of this root that was read already.
 */
export type IgnoredReason =
  | 'no-skill-file'
  | 'invalid-skill'
  | 'not-a-file'
  | 'link-outside'
  | 'broken-link'
  | 'unreadable'
  | 'too-large'
  | 'too-deep'
  | 'too-many-folders'
  | 'seen-before';

/** A folder that was not taken as a skill. */
export interface IgnoredFolder {
  /** Absolute. */
  readonly path: string;
  readonly scope: SkillScope;
  readonly reason: IgnoredReason;
  /** What was found, in a sentence. */
  readonly message: string;
  /** Of an `invalid-skill`; else empty. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** What became of one root. */
export interface ScannedRoot extends SkillRoot {
  /** `missing` is nothing to worry about: there are no skills of this scope. */
  readonly state: 'read' | 'missing' | 'unreadable' | 'not-a-folder';
  /** Folders that were listed. */
  readonly folders: number;
  /** Skills that were found, shadowed ones included. */
  readonly skills: number;
  /** Milliseconds. */
  readonly duration: number;
}

/** What a scan found. */
export interface ScanReport {
  /** The skills that names mean, one a name, by name. */
  readonly skills: readonly FoundSkill[];
  /** Every skill that was found, shadowed ones included, by root and path. */
  readonly found: readonly FoundSkill[];
  /** Names that more than one folder bears, and which folder won. One folder reached from two roots is no conflict. */
  readonly conflicts: readonly SkillConflict<FoundSkill>[];
  readonly ignored: readonly IgnoredFolder[];
  readonly roots: readonly ScannedRoot[];
  readonly counts: {
    readonly folders: number;
    readonly found: number;
    readonly offered: number;
    readonly shadowed: number;
    readonly ignored: number;
    readonly diagnostics: number;
  };
  /**
   * Identifies what the scan offers: the same skills with the same front matter, in the same scopes and at the same
   * places below their roots, have the same hash on every machine.
   */
  readonly indexHash: Digest;
  /** Milliseconds. */
  readonly duration: number;
}
