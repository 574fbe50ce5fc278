import { isByProduct } from './is-by-product.js';
import type { FileFinding, RecordFinding } from './verify-report.js';

/** What brings back what was installed where an install alone does not, and what becomes of what is there instead. */
export function restoringAdvice(findings: readonly (FileFinding | RecordFinding)[]): string {
  const [made] = findings.flatMap((finding) =>
    finding.kind === 'extra' && isByProduct(finding.path) ? [finding.path] : [],
  );
  const going = made === undefined ? '' : `; what programs make by themselves, as ${made}, goes without a copy`;
  return `\`skills install --replace\` restores what was installed and keeps a copy of what was edited${going}.`;
}
