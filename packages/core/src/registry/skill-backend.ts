import type { IndexProblem, ShadowedSkill, SkillEntry } from './skill-entry.js';

/** How something is read. */
export interface RegistryOptions {
  /** Ends it early with `INTERRUPTED`. */
  readonly signal?: AbortSignal | undefined;
}

/** What a backend lists. */
export interface SkillListing {
  /** In any order. Of two entries of one name the one with the higher scope is offered, then the earlier one. */
  readonly skills: readonly SkillEntry[];
  /** Those that lost to another already. @default [] */
  readonly shadowed?: readonly ShadowedSkill[] | undefined;
  /** @default [] */
  readonly problems?: readonly IndexProblem[] | undefined;
}

/** A file of a skill. */
export interface SkillFile {
  /** Relative to the skill's folder, with `/`: `references/forms.md`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly executable: boolean;
}

/** How a file of a skill is read. */
export interface ReadBytesOptions extends RegistryOptions {
  /** A file with more bytes is refused with `FILE_TOO_LARGE`, before it is in memory. */
  readonly maxBytes: number;
}

/**
 * What somebody who keeps skills in a place of their own has to write, a database, a web service: `createSkillRegistry`
 * makes a `SkillRegistry` of it. It is asked only for entries that it listed.
 */
export interface SkillBackend {
  /** What kind of place it is, in a word: `folders`, `memory`, `package`, `remote`. Shown in prompts and records. */
  readonly kind: string;
  /** How a model loads a skill from here, for the catalogue; markdown. @default undefined, the catalogue's own words */
  readonly loadInstructions?: string | undefined;
  /**
   * A catalogue of its own, with `{skills_list}` and `{skills_load_instructions}` in it. Without the former it counts for
   * nothing, and the index has a problem that says so. @default undefined
   */
  readonly promptTemplate?: string | undefined;
  /** All skills, from their front matter alone. A skill that cannot be read is a problem, not an error. */
  list(options: RegistryOptions): Promise<SkillListing>;
  /** The files of a skill, `SKILL.md` among them, by path. */
  files(skill: SkillEntry, options: RegistryOptions): Promise<readonly SkillFile[]>;
  /**
   * A file of a skill, whole. `path` is one that `files` might name: relative, with `/`, without `.` and `..`.
   *
   * @throws `FILE_NOT_FOUND`, `FILE_TOO_LARGE`, `PATH_TRAVERSAL_BLOCKED` where a link would lead out of the skill.
   */
  bytes(skill: SkillEntry, path: string, options: ReadBytesOptions): Promise<Uint8Array>;
  /** Calls `changed` when what `list` says may have changed, until disposed. @default undefined, it never tells */
  readonly watch?: ((changed: () => void) => Promise<AsyncDisposable>) | undefined;
}
