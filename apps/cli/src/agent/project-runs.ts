import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { RunFolder } from '@skillpack/runs-fs';

/** The recorded runs that a command works with. */
export interface ProjectRuns extends RunFolder {
  /** The folder they are in. */
  readonly folder: string;
  /** The project of the command, where runs of others lie in the folder, too; else `undefined`. */
  readonly project: string | undefined;
  /** Whether the person said, for good, that the project is trusted. */
  readonly trusted: boolean;
}

/** The project whose runs are meant, where a folder has those of several: in a project's own, all are its own. */
export function sharedBy(folder: string, projectDir: string): string | undefined {
  return realPath(folder) === realPath(join(projectDir, '.agents', 'runs')) ? undefined : projectDir;
}

/**
 * Whether a run is of a project. One that names none may be of any, as one whose name had to be redacted.
 *
 * @param recorded what its record says.
 * @param project `undefined` where all are meant.
 */
export function isOfProject(recorded: string | undefined, project: string | undefined): boolean {
  if (recorded === undefined || project === undefined || recorded.includes('[redacted:')) return true;
  return realPath(recorded) === realPath(project);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
