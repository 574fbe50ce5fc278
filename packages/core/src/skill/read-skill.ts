import { SkillsError } from '../errors/skills-error.js';
import { parseSkill, type ParseSkillOptions } from './parse-skill.js';
import type { Skill } from './skill.js';
import type { SkillDiagnosticCode } from './skill-diagnostic.js';

const aboutFrontMatter: ReadonlySet<SkillDiagnosticCode> = new Set([
  'file-too-large',
  'front-matter-missing',
  'front-matter-unopened',
  'front-matter-unclosed',
  'front-matter-language',
  'front-matter-too-large',
  'front-matter-too-complex',
  'yaml-invalid',
  'yaml-not-map',
]);

/**
 * As {@link parseSkill}, for callers that cannot go on without the skill.
 *
 * @throws `INVALID_FRONTMATTER` when the fields cannot be read at all, `INVALID_SKILL` when they break a rule of the
 * profile. `data.diagnostics` holds every finding.
 */
export function readSkill(source: string | Uint8Array, options: ParseSkillOptions = {}): Skill {
  const parse = parseSkill(source, options);
  if (parse.kind === 'skill') return parse.skill;
  const errors = parse.diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors.find(({ code }) => aboutFrontMatter.has(code)) ?? errors[0];
  const what = `${options.folder === undefined ? '' : `${options.folder}/`}${options.fileName ?? 'SKILL.md'}`;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new SkillsError(
    first !== undefined && aboutFrontMatter.has(first.code) ? 'INVALID_FRONTMATTER' : 'INVALID_SKILL',
    `${what}, line ${first?.line ?? 1}: ${first?.message ?? 'It cannot be read.'}${more}`,
    { hint: first?.fix, data: { diagnostics: parse.diagnostics } },
  );
}
