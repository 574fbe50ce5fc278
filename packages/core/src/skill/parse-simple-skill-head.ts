import type { ParseSkillHeadOptions } from './parse-skill-options.js';
import { parseSkillHeadWith, whereSimple } from './parse-with.js';
import type { SkillHead } from './skill.js';
import type { SkillParse } from './skill-parse.js';

/**
 * As {@link parseSkillHead}, for front matter that needs no YAML library, as nearly all of it: one field a line, with
 * plain or quoted values, blocks of text, lists of words, and maps of these one level deep. `undefined` for all other,
 * which {@link parseSkillHead} reads; whatever this function does answer is the same as there. For programs that list
 * many skills, or that start often: it loads no YAML library, and takes a tenth of the time.
 */
export function parseSimpleSkillHead(
  source: string | Uint8Array,
  options: ParseSkillHeadOptions = {},
): SkillParse<SkillHead> | undefined {
  return whereSimple((readYaml) => parseSkillHeadWith(source, options, readYaml));
}
