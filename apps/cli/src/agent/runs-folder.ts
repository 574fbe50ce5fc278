import { join } from 'node:path';

/** Where the runs of a project are recorded. */
export function runsFolder(projectDir: string): string {
  return join(projectDir, '.agents', 'runs');
}
