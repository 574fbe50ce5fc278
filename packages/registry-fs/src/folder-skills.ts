import type { SkillBackend } from '@skillpack/core';
import { FolderBackend } from './folder-backend.js';
import type { FolderSkillsOptions } from './folder-skills-options.js';
import type { SkillRoot } from './scan-report.js';
import type { ScanPorts } from './scan-skill-roots.js';
import type { WatchPorts } from './watch/watch-ports.js';

/** What the skills of folders take from their surroundings. */
export interface FolderSkillsPorts extends ScanPorts, Pick<WatchPorts, 'time' | 'after'> {}

/**
 * The skills below some folders, for `createSkillRegistry`. A skill's location is its folder, absolute, as it is reached
 * from its root; files are read from where that led when it was listed, and from nowhere else. Watched, it tells of
 * everything that may change the list, and keeps no process from ending.
 *
 * @throws `USAGE` from `list` for a root that is not an absolute path.
 * @example
 * ```ts
 * const backend = folderSkills([{ path: '/project/.agents/skills', scope: 'project' }], performance);
 * const { skills } = await backend.list({});
 * for (const { name, location } of skills) console.log(name, location);
 * ```
 */
export function folderSkills(
  roots: readonly SkillRoot[],
  ports: FolderSkillsPorts,
  options: FolderSkillsOptions = {},
): SkillBackend {
  const backend = new FolderBackend({ kind: 'folders', roots: () => ({ roots }) }, ports, options);
  return Object.assign(backend, {
    async watch(changed: () => void): Promise<AsyncDisposable> {
      const { watchRoots } = await import('./watch/watch-roots.js');
      const watch = await watchRoots({ roots, changed }, ports, options);
      // What changed after the last list and before the watch began, nobody noticed.
      if (backend.listed) changed();
      return watch;
    },
  });
}
