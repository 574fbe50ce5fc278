import type { UninstallReport } from '@skillpack/cli-dist';
import type { Style } from '../frame/style.js';
import { columns } from './columns.js';
import { count } from './count.js';

/** What an uninstall removed and what it left, for people. */
export function renderUninstallReport(report: UninstallReport, style: Style): string {
  const rows = report.removed.map(({ name, version, skills, reason }) => [
    style.red('-'),
    style.bold(name),
    version,
    skills.join(', '),
    style.dim(reason === 'orphan' ? 'not needed any more' : skills.length === 0 ? 'no skill of it was here' : ''),
  ]);
  const lines = rows.length === 0 ? [] : [columns(rows)];
  const kept = report.removed.flatMap((pack) => pack.kept);
  if (kept.length > 0) {
    lines.push(`${style.yellow('Kept')}, because they were edited or added:`, ...kept.map((path) => `  ${path}`));
  }
  for (const backup of report.backups) lines.push(`A copy is in ${backup}`);
  const what = count(report.removed.length, 'pack');
  lines.push(
    report.dryRun
      ? `Would have removed ${what} from ${report.root}; nothing was changed.`
      : `Removed ${what} from ${report.root}.`,
  );
  return lines.join('\n');
}
