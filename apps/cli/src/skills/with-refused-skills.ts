import type { DoctorFinding, DoctorReport } from '@skillpack/cli-dist';
import { visibleText } from '@skillpack/core';
import { scanSkillRoots } from '@skillpack/registry-fs';
import { shellLine } from '../agent/approving-command.js';

/** What is wrong with a root, its skills included. */
export type RootReport = Omit<DoctorReport, 'findings'> & {
  readonly findings: readonly (
    | DoctorFinding
    /** A folder whose SKILL.md was refused: no agent is offered it. */
    | (Omit<DoctorFinding, 'kind'> & { readonly kind: 'refused-skill' })
  )[];
};

/** A report with the skills of its root that nobody is offered, since their SKILL.md was refused. Only a person mends them. */
export async function withRefusedSkills(report: DoctorReport, signal: AbortSignal): Promise<RootReport> {
  const { ignored } = await scanSkillRoots([{ path: report.root, scope: 'other' }], performance, { signal });
  const refused = ignored
    .filter(({ reason }) => reason === 'invalid-skill')
    .map(({ path, message }) => ({
      kind: 'refused-skill' as const,
      subject: path,
      message: `${visibleText(message)} So no agent is offered it.`,
      advice: `Correct it; \`${shellLine(['skills', 'lint', path])}\` says all that is wrong with it.`,
      repairable: false,
      repaired: false,
    }));
  return { ...report, ok: report.ok && refused.length === 0, findings: [...report.findings, ...refused] };
}
