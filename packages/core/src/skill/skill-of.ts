import { SkillsError } from '../errors/skills-error.js';
import type { ParseSkillOptions } from './parse-skill-options.js';
import type { Skill } from './skill.js';
import type { SkillDiagnosticCode } from './skill-diagnostic.js';
import type { SkillParse } from './skill-parse.js';

const syntax: ReadonlySet<SkillDiagnosticCode> = new Set([
  'file-too-large',
  'encoding-utf16',
  'byte-order-mark',
  'leading-blank-lines',
  'leading-comment',
  'code-fence',
  'front-matter-missing',
  'front-matter-unopened',
  'front-matter-unclosed',
  'front-matter-language',
  'front-matter-too-large',
  'front-matter-too-complex',
  'delimiter-odd',
  'yaml-invalid',
  'yaml-broken',
  'yaml-not-map',
  'yaml-tag',
  'tab-indentation',
  'unquoted-colon',
  'unreadable-value',
  'control-character',
]);

/**
 * The skill that was read.
 *
 * @throws `INVALID_FRONTMATTER`, `INVALID_SKILL` where none was.
 */
export function skillOf(parse: SkillParse, options: ParseSkillOptions): Skill {
  if (parse.kind === 'skill') return parse.skill;
  const errors = parse.diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors.find(({ code }) => syntax.has(code)) ?? errors[0];
  const what = `${options.folder === undefined ? '' : `${options.folder}/`}${options.fileName ?? 'SKILL.md'}`;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new SkillsError(
    first !== undefined && syntax.has(first.code) ? 'INVALID_FRONTMATTER' : 'INVALID_SKILL',
    `${what}, line ${first?.line ?? 1}: ${first?.message ?? 'It cannot be read.'}${more}`,
    { hint: first?.fix, data: { diagnostics: parse.diagnostics } },
  );
}
