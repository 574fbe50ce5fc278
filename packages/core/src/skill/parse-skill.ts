import type { ParseSkillHeadOptions, ParseSkillOptions } from './parse-skill-options.js';
import { parseSkillHeadWith, parseSkillWith } from './parse-with.js';
import { readSimpleYaml } from './read-simple-yaml.js';
import type { ReadYaml } from './read-skill-head.js';
import { readYamlRepaired } from './repair-yaml.js';
import type { SkillHead } from './skill.js';
import type { SkillParse } from './skill-parse.js';

/**
 * Reads a SKILL.md. Never throws and never executes anything, whatever the text is, and takes time linear in its length.
 *
 * `lenient`, the default, repairs what real files need, each repair with a diagnostic. `strict` refuses whatever the
 * specification does not allow; see docs/skill-format.md for every diagnostic of either.
 *
 * @param source the text, or the bytes of the file.
 * @example
 * ```ts
 * const parse = parseSkill(text, { folder: 'pdf' });
 * if (parse.kind === 'skill') console.log(parse.skill.name, parse.skill.description);
 * else for (const { line, message, fix } of parse.diagnostics) console.error(`${line}: ${message} ${fix}`);
 * ```
 */
export function parseSkill(source: string | Uint8Array, options: ParseSkillOptions = {}): SkillParse {
  return parseSkillWith(source, options, readAnyYaml);
}

/**
 * Reads the front matter of a SKILL.md and nothing after it: for listings of many skills. Promises what
 * {@link parseSkill} promises.
 */
export function parseSkillHead(
  source: string | Uint8Array,
  options: ParseSkillHeadOptions = {},
): SkillParse<SkillHead> {
  return parseSkillHeadWith(source, options, readAnyYaml);
}

/** As {@link readYamlRepaired}, without the YAML library where that has nothing to add. */
const readAnyYaml: ReadYaml = (yaml, log, limits) => {
  const fields = readSimpleYaml(yaml, limits);
  return fields === undefined ? readYamlRepaired(yaml, log, limits) : { kind: 'fields', fields };
};
