import type { Skill, SkillHead } from './skill.js';
import type { SkillDiagnostic } from './skill-diagnostic.js';

/** What came of reading a SKILL.md, or its head. `refused` has at least one diagnostic that is an `error`, `skill` has none. */
export type SkillParse<Read extends SkillHead = Skill> =
  | { readonly kind: 'skill'; readonly skill: Read; readonly diagnostics: readonly SkillDiagnostic[] }
  | { readonly kind: 'refused'; readonly diagnostics: readonly SkillDiagnostic[] };
