import type { InstallReport, PackChange } from '@skillpack/cli-dist';
import type { Style } from '../frame/style.js';
import { formatBytes } from '../frame/progress-line.js';
import { columns } from './columns.js';
import { count } from './count.js';

/** What an install or an update did, for people. */
export function renderInstallReport(report: InstallReport, style: Style): string {
  const changed = report.changes.filter(({ kind }) => kind !== 'keep');
  const kept = report.changes.length - changed.length;
  const lines: string[] = [];
  if (changed.length > 0) lines.push(columns(changed.map((change) => row(change, style))));
  for (const change of report.changes) lines.push(...movedLine(change, report));
  lines.push(...linksLine(report));
  for (const backup of report.backups) lines.push(`Edited files were moved to ${backup}`);
  lines.push(summary(report, changed, kept));
  return lines.join('\n');
}

function row(change: PackChange, style: Style): string[] {
  switch (change.kind) {
    case 'add':
      return [style.green('+'), style.bold(change.name), change.version, skillsOf(change), style.dim(neededBy(change))];
    case 'update':
      return [
        style.cyan('~'),
        style.bold(change.name),
        change.from === change.version ? change.version : `${change.from} → ${change.version}`,
        skillsOf(change),
        style.dim(change.removedSkills.length === 0 ? neededBy(change) : `without ${change.removedSkills.join(', ')}`),
      ];
    case 'repair':
      return [style.yellow('!'), style.bold(change.name), change.version, skillsOf(change), style.dim('restored')];
    case 'remove':
      return [
        style.red('-'),
        style.bold(change.name),
        change.version,
        skillsOf(change),
        style.dim('not needed any more'),
      ];
    case 'keep':
      return ['=', change.name, change.version, skillsOf(change), ''];
  }
}

/** Who may offer other files is not who did. */
function movedLine(change: PackChange, { dryRun, saved }: InstallReport): readonly string[] {
  if (!('movedFrom' in change) || change.movedFrom === undefined) return [];
  const { name, movedFrom, origin } = change;
  const comes = dryRun ? 'would come' : 'comes';
  const why = saved.lockFile ? '' : ', as the lock file says';
  return [`${name} ${comes} from ${origin.location} now${why}; it came from ${movedFrom.location}.`];
}

function linksLine({ links: { made, removed }, dryRun }: InstallReport): readonly string[] {
  const parts = [
    ...(made.length > 0 ? [`${made.length} ${dryRun ? 'would be made' : 'made'}`] : []),
    ...(removed.length > 0 ? [`${removed.length} ${dryRun ? 'would be removed' : 'removed'}`] : []),
  ];
  return parts.length === 0 ? [] : [`Links for other agents: ${parts.join(', ')}.`];
}

function skillsOf({ skills }: PackChange): string {
  return skills.length > 4 ? `${skills.slice(0, 4).join(', ')} and ${skills.length - 4} more` : skills.join(', ');
}

function neededBy({ neededBy: packs }: Extract<PackChange, { neededBy: unknown }>): string {
  return packs.length === 0 ? '' : `for ${packs.join(', ')}`;
}

/** Packs stay as they are; what is wanted may be written down all the same. */
function nothingDone({ saved, dryRun, changes, links }: InstallReport): string {
  const files = [...(saved.projectFile ? ['skillpack.json'] : []), ...(saved.lockFile ? ['the lock file'] : [])];
  const other =
    links.made.length + links.removed.length > 0 ||
    changes.some((change) => change.kind === 'keep' && change.movedFrom !== undefined);
  if (files.length === 0) return other ? 'Nothing to install' : 'Nothing to do';
  return `Nothing to install; ${files.join(' and ')} ${dryRun ? 'would be' : files.length === 1 ? 'was' : 'were'} written`;
}

function summary(report: InstallReport, changed: readonly PackChange[], kept: number): string {
  if (changed.length === 0) {
    return kept === 0
      ? `Nothing is wanted in ${report.root}: name a pack, or list “packs” in skillpack.json.`
      : `${nothingDone(report)}: ${report.root} has everything that is wanted (${count(kept, 'pack')}). \`skills outdated\` tells what is newer.`;
  }
  const of = (kind: PackChange['kind']) => changed.filter((change) => change.kind === kind).length;
  const parts = [
    ['added', of('add')],
    ['updated', of('update')],
    ['restored', of('repair')],
    ['removed', of('remove')],
    ['kept', kept],
  ] as const;
  const told = parts
    .filter(([, number]) => number > 0)
    .map(([word, number], index) => `${index === 0 ? count(number, 'pack') : number} ${word}`)
    .join(', ');
  const { archives, bytes } = report.downloaded;
  const loaded = archives === 0 ? '' : ` (${formatBytes(bytes)} downloaded)`;
  return report.dryRun
    ? `Would be: ${told} in ${report.root}. Nothing was changed.`
    : `${told} in ${report.root}${loaded}.`;
}
