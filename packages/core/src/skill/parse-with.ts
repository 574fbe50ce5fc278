import { DiagnosticLog } from './diagnostic-log.js';
import type { ParseSkillHeadOptions, ParseSkillOptions } from './parse-skill-options.js';
import { readBody } from './read-body.js';
import { readSimpleYaml } from './read-simple-yaml.js';
import { readSkillHead, type ReadYaml } from './read-skill-head.js';
import type { SkillHead } from './skill.js';
import type { SkillParse } from './skill-parse.js';

/** Reads a SKILL.md, its YAML by this. */
export function parseSkillWith(
  source: string | Uint8Array,
  options: ParseSkillOptions,
  readYaml: ReadYaml,
): SkillParse {
  const log = new DiagnosticLog(options.profile ?? 'lenient');
  const head = readSkillHead(source, { ...options, partial: false, body: true, readYaml }, log);
  const body = head === undefined ? '' : readBody(head, log, options.rules ?? {});
  if (head?.skill === undefined || log.failed) return { kind: 'refused', diagnostics: log.diagnostics };
  return { kind: 'skill', skill: { ...head.skill, body }, diagnostics: log.diagnostics };
}

/** Reads the front matter of a SKILL.md, its YAML by this. */
export function parseSkillHeadWith(
  source: string | Uint8Array,
  options: ParseSkillHeadOptions,
  readYaml: ReadYaml,
): SkillParse<SkillHead> {
  const log = new DiagnosticLog(options.profile ?? 'lenient');
  const head = readSkillHead(source, { ...options, body: false, readYaml }, log);
  if (head?.skill === undefined || log.failed) return { kind: 'refused', diagnostics: log.diagnostics };
  return { kind: 'skill', skill: head.skill, diagnostics: log.diagnostics };
}

/** What `parse` makes of front matter that needs no YAML library; `undefined` where it needs one. */
export function whereSimple<Parsed>(parse: (readYaml: ReadYaml) => Parsed): Parsed | undefined {
  let declined = false;
  const parsed = parse((yaml, _, limits) => {
    const fields = readSimpleYaml(yaml, limits);
    declined = fields === undefined;
    return fields === undefined ? { kind: 'refused' } : { kind: 'fields', fields };
  });
  return declined ? undefined : parsed;
}
