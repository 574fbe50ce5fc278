import { closeSync, constants } from 'node:fs';
import { isLocked } from './lock-file.js';
import { openEvents } from './read-record.js';
import type { RunPaths } from './run-paths.js';

/**
 * Whether nobody writes to a run that was not finished when it was read. The lock goes with the process, so nobody who
 * holds it is dead.
 *
 * @throws as `openEvents`.
 */
export async function isCutOff(paths: RunPaths): Promise<boolean> {
  const descriptor = openEvents(paths, { flags: constants.O_RDONLY });
  try {
    return !(await isLocked(descriptor));
  } catch {
    // On a file system without locks nobody can tell.
    return false;
  } finally {
    closeSync(descriptor);
  }
}
