import type { SkillEntry } from '../registry/skill-entry.js';
import type { SkillView } from '../registry/skill-view.js';

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
}
