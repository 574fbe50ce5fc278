import type { SkillEntry } from '../registry/skill-entry.js';
import type { SkillExcerpt } from '../registry/skill-excerpt.js';
import type { SkillView } from '../registry/skill-view.js';

/** A file of a skill that is active, or a part of it, as a model asks for it. */
export interface WantedSkillFile {
  /** The name of the skill, also as `org/name`. */
  readonly skill: string;
  /** Relative to the skill, or absolute into any skill that is active. */
  readonly path: string;
  /** A heading. @default all of the file */
  readonly section?: string | undefined;
  /** The line to begin at, from 1, whatever section it is in. @default the first */
  readonly fromLine?: number | undefined;
}

/** What a model is given of a file. */
export interface SkillFileText {
  readonly entry: SkillEntry;
  readonly excerpt: SkillExcerpt;
  /** The excerpt between fences, with where it comes from and how to go on. */
  readonly text: string;
}

/** The skills of one conversation, as far as tools need them. */
export interface SkillToolSession {
  /** What is switched off here, other sessions never notice. */
  readonly view: SkillView;
  /**
   * Reads a skill for the model, and notes that it was read. `text` is its body without front matter; where that stands
   * in the conversation already, one sentence that says so.
   *
   * @throws what `SkillRegistry.body` throws; `TOOL_NOT_ALLOWED` for a skill that only people may call.
   */
  activate(
    entry: SkillEntry,
    options: { readonly by: 'model'; readonly reason: string; readonly signal?: AbortSignal | undefined },
  ): Promise<{ readonly text: string; readonly alreadyActive: boolean }>;
  /**
   * Reads a file of a skill that is active for the model, or a part of it.
   *
   * @throws what `SkillRegistry.read` throws; `SKILL_NOT_FOUND` for a skill that is not active, or switched off.
   */
  readFile(wanted: WantedSkillFile, options?: { readonly signal?: AbortSignal | undefined }): Promise<SkillFileText>;
}
