// What a program needs that lists skills, and nothing that takes long to load: no YAML library, no schemas. Every name is
// in the main list too.
export { comparePaths } from './digest/compare-paths.js';
export type { ErrorCode } from './errors/codes.js';
export { quoted } from './errors/quoted.js';
export { SkillsError, type SkillsErrorOptions } from './errors/skills-error.js';
export { visibleText } from './errors/visible-text.js';

export { isPackNamePart } from './pack/pack-name-part.js';
export { judgePath, type PathLimits, type PathProblem } from './pack/pack-path.js';

export {
  layerSkills,
  skillScopes,
  type LayeredSkills,
  type LayerSkillsOptions,
  type SkillConflict,
  type SkillScope,
  type SkillSource,
} from './registry/layer-skills.js';

export { parseSimpleSkillHead } from './skill/parse-simple-skill-head.js';
export type { ParseSkillHeadOptions, ParseSkillOptions } from './skill/parse-skill-options.js';
export { recallSkillHead, type RecalledPlace } from './skill/recall-skill-head.js';
export type { Skill, SkillHead, SkillProfile } from './skill/skill.js';
export type { SkillDiagnostic, SkillDiagnosticCode, SkillSeverity } from './skill/skill-diagnostic.js';
export { defaultSkillLimits, type SkillLimits } from './skill/skill-limits.js';
export type { SkillParse } from './skill/skill-parse.js';
export type { SkillRules } from './skill/skill-rules.js';
