import type { DoctorReport } from '@skillpack/cli-dist';
import type { Style } from '../frame/style.js';
import { count } from './count.js';

/** What is wrong with a root and what was done about it, for people. */
export function renderDoctorReport(report: DoctorReport, style: Style): string {
  const lines = report.findings.flatMap(({ subject, message, advice, repaired }) => [
    `${repaired ? style.green('✓') : style.red('✗')} ${style.bold(subject)}: ${message}`,
    `    ${advice}`,
  ]);
  const open = report.findings.filter(({ repaired }) => !repaired).length;
  if (report.findings.length === 0) lines.push(`${style.green('✓')} Nothing is wrong in ${report.root}.`);
  else if (open === 0) lines.push(`Repaired ${count(report.findings.length, 'problem')} in ${report.root}.`);
  else lines.push(`${count(open, 'problem')} in ${report.root}; \`skills doctor --repair\` mends what can be mended.`);
  return lines.join('\n');
}
