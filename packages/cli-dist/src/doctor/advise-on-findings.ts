import { restoringAdvice } from '../verify/restoring-advice.js';
import type { FileFinding, RecordFinding, VerifyReport } from '../verify/verify-report.js';

/** What to do about everything that a verification found, as a sentence. */
export function adviseOnFindings({
  packs,
  shadowing,
  locked,
}: Pick<VerifyReport, 'packs' | 'shadowing' | 'locked'>): string {
  if (!locked && packs.length > 0) {
    return packs.every(({ ok }) => ok) && shadowing.length === 0
      ? '`skills doctor --repair` locks what is installed; to restore skillpack-lock.json from version control keeps more.'
      : '`skills doctor` tells of each what to do about it.';
  }
  if (shadowing.length > 0) {
    if (packs.some(({ ok }) => !ok)) return '`skills doctor` tells of each what to do about it.';
    return `Move ${shadowing.map(({ path }) => path).join(' and ')} away: no pack brought it, and an agent may take it for the skill of the pack.`;
  }
  const cures = new Set(packs.flatMap(({ skills, findings }) => findings.map((finding) => cureOf(finding, skills))));
  if (cures.has('doctor')) return '`skills doctor` tells of each what to do about it.';
  return cures.has('replace')
    ? restoringAdvice(packs.flatMap(({ findings }) => findings))
    : '`skills install` restores what was installed.';
}

function cureOf(finding: FileFinding | RecordFinding, skills: readonly string[]): 'install' | 'replace' | 'doctor' {
  switch (finding.kind) {
    case 'missing':
    case 'other-version':
    case 'link-changed':
      return 'install';
    case 'mode':
      return finding.expectedExecutable ? 'install' : 'replace';
    case 'modified':
    case 'extra':
    case 'unreadable':
      return 'replace';
    // In the place of a whole skill it is a person's, and no install touches it.
    case 'link':
    case 'kind':
    case 'renamed':
      return skills.includes(finding.path) ? 'doctor' : 'replace';
    // What stands in its place may be the pack itself, whose record was lost.
    case 'not-installed':
    case 'not-locked':
    case 'receipt-missing':
    case 'receipt-invalid':
    case 'manifest-missing':
    case 'manifest-invalid':
    case 'digest-mismatch':
    case 'record-mismatch':
      return 'doctor';
  }
}
