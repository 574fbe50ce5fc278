import type { ParseSkillHeadOptions, ParseSkillOptions } from './parse-skill-options.js';
import { parseSkillHeadWith, parseSkillWith, whereSimple } from './parse-with.js';
import type { SkillHead } from './skill.js';
import type { SkillParse } from './skill-parse.js';

/**
 * As {@link parseSkill}, and loads the YAML library only where the front matter needs it, as that of few skills does: for
 * pages, which would load it with everything else. What is read is the source as it is now.
 *
 * It rejects where the library cannot be loaded, as a browser does that is offline by then.
 */
export async function parseSkillLazily(
  source: string | Uint8Array,
  options: ParseSkillOptions = {},
): Promise<SkillParse> {
  const simple = whereSimple((readYaml) => parseSkillWith(source, options, readYaml));
  if (simple !== undefined) return simple;
  const kept = keptSource(source);
  return (await import('./parse-skill.js')).parseSkill(kept, options);
}

/** As {@link parseSkillHead}, in the way of {@link parseSkillLazily}. */
export async function parseSkillHeadLazily(
  source: string | Uint8Array,
  options: ParseSkillHeadOptions = {},
): Promise<SkillParse<SkillHead>> {
  const simple = whereSimple((readYaml) => parseSkillHeadWith(source, options, readYaml));
  if (simple !== undefined) return simple;
  const kept = keptSource(source);
  return (await import('./parse-skill.js')).parseSkillHead(kept, options);
}

/** Bytes may be others when the library is there. */
function keptSource(source: string | Uint8Array): string | Uint8Array {
  return typeof source === 'string' ? source : source.slice();
}
