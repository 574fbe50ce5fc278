import {
  adviseOnFindings,
  type FileFinding,
  type RecordFinding,
  type VerifiedPack,
  type VerifyReport,
} from '@skillpack/cli-dist';
import type { Style } from '../frame/style.js';
import { formatBytes } from '../frame/progress-line.js';
import { columns } from './columns.js';
import { count } from './count.js';

/** What a verification found, for people: first what is wrong, last the verdict. */
export function renderVerifyReport(report: VerifyReport, style: Style): string {
  const broken = report.packs.filter(({ ok }) => !ok);
  const lines = broken.map((pack) => renderPack(pack, style));
  if (report.untracked.length > 0) {
    lines.push(style.dim(`Not from a pack, and not checked: ${report.untracked.join(', ')}`));
  }
  for (const { path, skill, pack } of report.shadowing) {
    lines.push(`${style.red('✗')} ${path} is of no pack, and stands in for the skill ${skill} of ${pack}.`);
  }
  if (!report.locked && report.packs.length > 0) {
    lines.push(
      `${style.red('✗')} There is no skillpack-lock.json, though ${count(report.packs.length, 'pack')} ` +
        `${report.packs.length === 1 ? 'is' : 'are'} installed: nothing proves what their records say.`,
    );
  }
  if (report.ok) lines.push(verdict(report, style));
  else if (broken.length === 0) lines.push(hintOf(report, style));
  else {
    lines.push(
      `${style.red('✗')} ${broken.length} of ${count(report.packs.length, 'pack')} in ${report.root} ` +
        `${broken.length === 1 ? 'is' : 'are'} not as installed.`,
      hintOf(report, style),
    );
  }
  return lines.join('\n');
}

function hintOf(report: VerifyReport, style: Style): string {
  return `${style.cyan('hint')}: ${adviseOnFindings(report)}`;
}

function verdict(report: VerifyReport, style: Style): string {
  if (report.packs.length === 0) return `No packs are installed in ${report.root}.`;
  const what = `${count(report.packs.length, 'pack')}, ${count(report.files, 'file')}, ${formatBytes(report.bytes)}`;
  return `${style.green('✓')} ${what}: everything is as installed and locked.`;
}

function renderPack({ name, version, findings }: VerifiedPack, style: Style): string {
  const title = version === undefined ? name : `${name} ${version}`;
  const rows = findings.map((finding) => {
    const [word, subject, more] = describeFinding(finding);
    return [style.red(word), subject, style.dim(more)];
  });
  return `${style.bold(title)}\n${columns(rows, '  ')}`;
}

function describeFinding(finding: FileFinding | RecordFinding): readonly [word: string, subject: string, more: string] {
  switch (finding.kind) {
    case 'modified':
      return ['modified', finding.path, ''];
    case 'missing':
      return ['missing', finding.path, ''];
    case 'extra':
      return ['extra', finding.path, 'belongs to no pack'];
    case 'mode':
      return ['mode', finding.path, finding.expectedExecutable ? 'is not executable any more' : 'was made executable'];
    case 'renamed':
      return ['renamed', finding.path, `is now ${finding.actual}`];
    case 'link':
      return ['link', finding.path, `leads to ${finding.target}`];
    case 'kind':
      return ['kind', finding.path, `is a ${finding.actual}, not a ${finding.expected}`];
    case 'unreadable':
      return ['unreadable', finding.path, finding.reason];
    case 'receipt-missing':
    case 'manifest-missing':
      return ['missing', finding.path, ''];
    case 'receipt-invalid':
    case 'manifest-invalid':
      return ['invalid', finding.path, finding.reason];
    case 'digest-mismatch':
      return ['digest', finding.between.replaceAll('-', ' '), `expected ${finding.expected}, found ${finding.actual}`];
    case 'record-mismatch':
      return [
        finding.field,
        finding.between.replaceAll('-', ' '),
        `expected ${finding.expected}, found ${finding.actual}`,
      ];
    case 'not-locked':
      return ['unlocked', 'not in the lock file', ''];
    case 'not-installed':
      return ['missing', 'the pack is locked, but not installed', `version ${finding.locked}`];
    case 'other-version':
      return ['version', `${finding.installed} is installed`, `${finding.locked} is locked`];
    case 'link-changed':
      return ['link', finding.path, 'is gone or leads elsewhere'];
  }
}
