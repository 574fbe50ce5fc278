import { DiagnosticLog } from './diagnostic-log.js';
import type { ParseSkillHeadOptions } from './parse-skill-options.js';
import { readSimpleYaml } from './read-simple-yaml.js';
import { readSkillHead, type ReadYaml } from './read-skill-head.js';
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
  const log = new DiagnosticLog(options.profile ?? 'lenient');
  let declined = false;
  const readYaml: ReadYaml = (yaml, _, limits) => {
    const fields = readSimpleYaml(yaml, limits);
    declined = fields === undefined;
    return fields === undefined ? { kind: 'refused' } : { kind: 'fields', fields };
  };
  const head = readSkillHead(source, { ...options, body: false, readYaml }, log);
  if (declined) return undefined;
  if (head?.skill === undefined || log.failed) return { kind: 'refused', diagnostics: log.diagnostics };
  return { kind: 'skill', skill: head.skill, diagnostics: log.diagnostics };
}
