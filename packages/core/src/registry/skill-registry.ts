import type { Digest } from '../digest/is-digest.js';
import type { Skill } from '../skill/skill.js';
import type { RegistryOptions, SkillBackend, SkillFile, SkillListing } from './skill-backend.js';
import type { SkillEntry, SkillIndex, SkillReference } from './skill-entry.js';
import type { SkillExcerpt, SkillSelection } from './skill-excerpt.js';

/** How a registry is searched. */
export interface SkillSearchOptions extends RegistryOptions {
  /** How many matches at most. @default 10 */
  readonly limit?: number | undefined;
}

/** A skill that a search found. */
export interface SkillMatch {
  readonly entry: SkillEntry;
  /** Falls from match to match; says nothing across queries. */
  readonly score: number;
  /** What about it matched best: its name as a whole, the beginning or a part of it, or its words. */
  readonly matched: 'name' | 'name-prefix' | 'name-part' | 'words';
}

/** How a file of a skill of a registry is read. */
export interface SkillBytesOptions extends RegistryOptions {
  /** A file with more bytes is refused with `FILE_TOO_LARGE`, before it is in memory. @default `fileBytes` of its limits: 2 MiB */
  readonly maxBytes?: number | undefined;
}

/** How a file of a skill is read for somebody, or a part of it. */
export interface SkillReadOptions extends RegistryOptions {
  /** Which part. @default all of it */
  readonly selection?: SkillSelection | undefined;
  /** UTF-16 code units that the excerpt may have; never more than the registry gives. @default as many as that */
  readonly excerptLength?: number | undefined;
}

/** The text of a skill, read in full. */
export interface SkillText {
  readonly skill: Skill;
  /** Of its SKILL.md, as it lies there. */
  readonly digest: Digest;
  /** Bytes of that file. */
  readonly size: number;
}

/** What changed in a registry between two of its indexes, by name. */
export interface RegistryChange {
  readonly index: SkillIndex;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Offered before and after, with other front matter or from another location. */
  readonly changed: readonly string[];
}

/**
 * What an agent reads its skills from. `list`, `files` and `bytes` are the backend's; everything else is the same for
 * every backend, and `createSkillRegistry` makes it. Names are compared in Unicode form NFC.
 *
 * An index is kept until `reload`, or until a watched backend tells of a change, so that a run sees one state.
 */
export interface SkillRegistry extends SkillBackend {
  /** What the backend lists, read anew and not kept. */
  list(options?: RegistryOptions): Promise<SkillListing>;
  /** The files of a skill, `SKILL.md` among them, by path. @throws `REGISTRY_ERROR` where the backend gives something else. */
  files(skill: SkillEntry, options?: RegistryOptions): Promise<readonly SkillFile[]>;
  /**
   * A file of a skill, whole.
   *
   * @throws `FILE_NOT_FOUND`; `FILE_TOO_LARGE`; `PATH_TRAVERSAL_BLOCKED` for a path that leads out of the skill;
   * `REGISTRY_ERROR` where the backend gives something else than bytes.
   */
  bytes(skill: SkillEntry, path: string, options?: SkillBytesOptions): Promise<Uint8Array>;
  /** What is offered now. Reads it first where that has not happened yet, once however many ask. */
  index(options?: RegistryOptions): Promise<SkillIndex>;
  /** Reads anew. What was good stays when it fails. */
  reload(options?: RegistryOptions): Promise<SkillIndex>;
  /** The skill that a reference means, shadowed ones included; `undefined` when there is none. */
  get(reference: string | SkillReference, options?: RegistryOptions): Promise<SkillEntry | undefined>;
  /** The skill at a location, or whose SKILL.md is there; `undefined` when there is none. */
  getByPath(location: string, options?: RegistryOptions): Promise<SkillEntry | undefined>;
  /** @throws `SKILL_NOT_FOUND` for one that is not in the index, `INVALID_SKILL` and `INVALID_FRONTMATTER` for one that changed. */
  body(skill: SkillEntry, options?: RegistryOptions): Promise<SkillText>;
  /**
   * A file of a skill, or a part of it.
   *
   * @throws `USAGE` for a selection that makes no sense; `FILE_NOT_FOUND` and `SECTION_NOT_FOUND`, with what there is in the hint; `FILE_TOO_LARGE`;
   * `PATH_TRAVERSAL_BLOCKED` for a path that is absolute or leads out of the skill.
   */
  read(skill: SkillEntry, path: string, options?: SkillReadOptions): Promise<SkillExcerpt>;
  /**
   * The beginning of a skill's text, for a search to look into. A registry made of this one searches by it, too.
   *
   * @default undefined, a search looks into names, descriptions and locations alone
   * @throws what `body` throws.
   */
  readonly searchText?: ((skill: SkillEntry, options?: RegistryOptions) => Promise<string | undefined>) | undefined;
  /** Skills by words, without a model: the exact name first, then the best by rank. */
  search(query: string, options?: SkillSearchOptions): Promise<readonly SkillMatch[]>;
  /** Tells of every new index that differs from the one before, until disposed. */
  subscribe(listener: (change: RegistryChange) => void): Promise<AsyncDisposable>;
}
