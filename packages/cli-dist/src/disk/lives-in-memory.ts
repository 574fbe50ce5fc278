import { statfsSync } from 'node:fs';

/** The file systems of Linux that have no disk: tmpfs and ramfs (statfs(2)). */
const withoutDisk: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);

/** Whether a folder is gone with the power, however often it is flushed. `false` where the system does not tell. */
export function livesInMemory(folder: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return withoutDisk.has(statfsSync(folder).type);
  } catch {
    return false;
  }
}
