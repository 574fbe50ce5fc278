import type { Digest } from '../digest/is-digest.js';
import type { SkillDiagnostic } from '../skill/skill-diagnostic.js';
import type { SkillHead } from '../skill/skill.js';
import type { SkillScope } from './layer-skills.js';

/** A skill as an agent knows it before it is activated: its front matter and where it lies. No body, no files. */
export interface SkillEntry {
  /** What it is asked for by; one entry a name in an index. */
  readonly name: string;
  readonly scope: SkillScope;
  /** Its folder, absolute, or a URL where it lies in no folder of this machine. One entry a location in an index. */
  readonly location: string;
  /** The pack that brought it, `org/name`. */
  readonly pack: string | undefined;
  /** The version of that pack. */
  readonly packVersion: string | undefined;
  /** Of its whole content, where that is known without reading it. */
  readonly digest: Digest | undefined;
  /** Its `name` is the one the skill gives itself; the entry's own may be another, as with a prefix. */
  readonly head: SkillHead;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** How a skill is asked for: by name, `pdf` or `org/pdf`, and, where it matters, by scope. */
export interface SkillReference {
  readonly name: string;
  /** The only scope whose skills count, also those that are shadowed: another one's is another skill. @default undefined */
  readonly source?: SkillScope | undefined;
}

/** A skill that is there and not offered, because another one bears its name. */
export interface ShadowedSkill {
  readonly entry: SkillEntry;
  /** The location of the skill that its name means. */
  readonly by: string;
}

/**
 * What an index has to say besides its skills:
 *
 * - `ignored`: something that looked like a skill is none, or a template of the catalogue has no place for skills;
 * - `refused`: a skill is not offered, since its SKILL.md is not valid, or is nothing that is read as one;
 * - `missing`: a place that skills may be in is not there;
 * - `unreadable`: a place or a skill cannot be read;
 * - `untrusted`: skills were left out because their place is not trusted;
 * - `stale`: what is shown is the last good state, since a newer one could not be read.
 */
export type IndexProblemCode = 'ignored' | 'refused' | 'missing' | 'unreadable' | 'untrusted' | 'stale';

/** Something that a person should know of an index. None of them keeps other skills from loading. */
export interface IndexProblem {
  readonly code: IndexProblemCode;
  /** The folder or URL it is about. */
  readonly location: string;
  /** In a sentence. */
  readonly message: string;
}

/** What a registry offers at one moment. */
export interface SkillIndex {
  /** One skill a name, by name in the order of UTF-16 code units. */
  readonly skills: readonly SkillEntry[];
  readonly shadowed: readonly ShadowedSkill[];
  readonly problems: readonly IndexProblem[];
  /** Identifies what is offered: the same names, scopes, locations, packs and front matter have the same hash. */
  readonly hash: Digest;
}
