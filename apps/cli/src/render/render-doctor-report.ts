import type { Style } from '../frame/style.js';
import type { RootReport } from '../skills/with-refused-skills.js';
import { count } from './count.js';

/** What is wrong with a root and what was done about it, for people. */
export function renderDoctorReport(report: RootReport, style: Style): string {
  const lines = report.findings.flatMap(({ subject, message, advice, repaired }) => [
    `${repaired ? style.green('✓') : style.red('✗')} ${style.bold(subject)}: ${message}`,
    `    ${advice}`,
  ]);
  for (const { subject, message, advice } of report.notes) {
    lines.push(`${style.cyan('note')} ${style.bold(subject)}: ${message} ${advice}`);
  }
  lines.push(verdict(report, style));
  return lines.join('\n');
}

function verdict({ root, findings }: RootReport, style: Style): string {
  if (findings.length === 0) return `${style.green('✓')} Nothing is wrong in ${root}.`;
  const open = findings.filter(({ repaired }) => !repaired);
  const mended = findings.length - open.length;
  if (open.length === 0) return `Repaired ${count(mended, 'problem')} in ${root}.`;
  const repairable = open.filter((finding) => finding.repairable).length;
  const told = [
    `${count(open.length, 'problem')} in ${root}`,
    ...(mended === 0 ? [] : [`${mended} repaired`]),
    ...(repairable === 0
      ? []
      : [`\`skills doctor --repair\` mends ${repairable === open.length ? 'all' : repairable}`]),
  ];
  return `${told.join('; ')}.`;
}
