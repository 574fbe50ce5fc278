import type { FolderBuild } from '@skillpack/registry-http/server';
import type { AddedPack } from '../author/add-packs.js';
import type { Style } from '../frame/style.js';
import { columns } from './columns.js';
import { count } from './count.js';

/** A registry whose static files were made. */
export interface BuiltRegistry extends FolderBuild {
  readonly folder: string;
  readonly added: readonly AddedPack[];
}

/** What was added to a registry and what is in it now, for people. */
export function renderFolderBuild(build: BuiltRegistry, style: Style): string {
  const lines: string[] = [];
  if (build.added.length > 0) {
    lines.push(
      columns(
        build.added.map(({ name, version, created, repaired }) => [
          created || repaired ? style.green('+') : '=',
          style.bold(name),
          version,
          style.dim(created ? '' : repaired ? 'was damaged, and is whole again' : 'was there already'),
        ]),
      ),
    );
  }
  for (const { subject, message } of build.problems) lines.push(`${style.red('✗')} ${subject}: ${message}`);
  for (const { subject, message } of build.notes) lines.push(`${style.yellow('!')} ${subject}: ${message}`);
  if (build.collected > 0) lines.push(style.dim(`Removed ${count(build.collected, 'blob')} that no version names.`));
  lines.push(
    `${build.folder}: ${count(build.packs, 'pack')}, ${count(build.versions, 'version')}, ${count(build.skills, 'skill')}.`,
  );
  return lines.join('\n');
}
