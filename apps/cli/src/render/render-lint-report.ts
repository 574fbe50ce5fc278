import { join } from 'node:path';
import type { SkillDiagnostic } from '@skillpack/core';
import type { LintedSkill, LintReport } from '../author/lint-skills.js';
import type { Style } from '../frame/style.js';
import { count } from './count.js';

/** What was found about skills, for people: `path:line: severity: message [code]`, as editors read it. */
export function renderLintReport(report: LintReport, style: Style): string {
  const lines = report.skills.flatMap((skill) => skill.diagnostics.flatMap((found) => describe(found, skill, style)));
  const skills = count(report.skills.length, 'skill');
  const held = report.profile === 'strict' ? ' against the specification to the letter' : '';
  lines.push(
    report.errors + report.warnings === 0
      ? `${style.green('✓')} ${skills} checked${held}, nothing to mend.`
      : `${report.ok ? style.green('✓') : style.red('✗')} ${skills} checked${held}: ` +
          `${count(report.errors, 'error')}, ${count(report.warnings, 'warning')}.`,
  );
  return lines.join('\n');
}

function describe(found: SkillDiagnostic, { path }: LintedSkill, style: Style): string[] {
  const paint = { error: style.red, warning: style.yellow, info: style.dim }[found.severity];
  const place = [join(path, 'SKILL.md'), found.line, found.column].filter((part) => part !== undefined).join(':');
  const lines = [`${place}: ${paint(found.severity)}: ${found.message} ${style.dim(`[${found.code}]`)}`];
  if (found.fix !== '') lines.push(`    ${found.fix}`);
  return lines;
}
