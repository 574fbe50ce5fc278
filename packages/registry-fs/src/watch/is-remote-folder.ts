import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../errno.js';

// Magic numbers of Linux: NFS, SMB (three), 9P, AFS (two), Ceph, Coda, FUSE, and the shared folders of virtual machines.
const remote = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x6b414653, 0x00c36400, 0x73757245, 0x65735546,
  0x786f4256, 0x7c7c6673,
]);

/** Whether others can change a folder without this system noticing. Known of Linux alone; `false` elsewhere. */
export function isRemoteFolder(path: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // The number is signed on some systems.
    return remote.has(statfsSync(path).type >>> 0);
  } catch (error) {
    const parent = dirname(path);
    // A root that is not there yet will be on the disk of the folder around it.
    return errnoOf(error) === 'ENOENT' && parent !== path && isRemoteFolder(parent);
  }
}
