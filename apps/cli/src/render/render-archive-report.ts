import type { ArchiveReport } from '@skillpack/cli-dist';
import type { Style } from '../frame/style.js';
import { formatBytes } from '../frame/progress-line.js';
import { columns } from './columns.js';
import { count } from './count.js';

/** What an archive holds, for people. */
export function renderArchiveReport(report: ArchiveReport, style: Style): string {
  const { manifest } = report;
  const title = manifest === undefined ? 'An archive without a manifest' : `${manifest.name} ${manifest.version}`;
  const rows = [
    ['archive', `${report.format}, ${formatBytes(report.size)}, ${report.digest}`],
    ['content', `${count(report.files, 'file')}, ${formatBytes(report.bytes)}, ${report.treeDigest}`],
    ['skills', report.skills.join(', ')],
  ];
  const verdict =
    manifest === undefined
      ? 'Nothing in it is harmful to unpack; nothing but its digest vouches for its content.'
      : 'Every file is as its manifest says.';
  return `${style.bold(title)}\n${columns(rows, '  ')}\n${style.green('✓')} ${verdict}`;
}
