import type { OutdatedReport } from '@skillpack/cli-dist';
import type { Style } from '../frame/style.js';
import { columns } from './columns.js';
import { count } from './count.js';

/** Which packs have newer versions, for people. */
export function renderOutdatedReport(report: OutdatedReport, style: Style): string {
  const lines: string[] = [];
  if (report.outdated.length > 0) {
    const head = ['pack', 'current', 'wanted', 'latest', ''].map(style.dim);
    const rows = report.outdated.map((pack) => [
      style.bold(pack.name),
      pack.current,
      pack.wanted === pack.current ? pack.wanted : style.green(pack.wanted),
      pack.latest === pack.wanted ? pack.latest : style.yellow(pack.latest),
      remark(pack),
    ]);
    lines.push(columns([head, ...rows]));
  }
  for (const { name, version, reason } of report.revoked) {
    lines.push(`${style.red('✗')} ${name} ${version} was revoked (${reason}): uninstall or update it.`);
  }
  for (const { name, version } of report.notInstalled) {
    lines.push(`${style.red('✗')} ${name} ${version} is locked, but not installed: \`skills install\` brings it.`);
  }
  for (const { name, reason } of report.failed) lines.push(`${style.red('✗')} ${name}: ${reason}`);
  if (lines.length === 0) lines.push(`${style.green('✓')} ${count(report.checked, 'pack')} checked, all up to date.`);
  else if (report.outdated.some(({ wanted, current }) => wanted !== current)) {
    lines.push('`skills update` moves them to what is wanted.');
  }
  return lines.join('\n');
}

function remark({ yanked, deprecated }: OutdatedReport['outdated'][number]): string {
  if (yanked !== null) return `withdrawn: ${yanked}`;
  return deprecated === null ? '' : `deprecated: ${deprecated}`;
}
