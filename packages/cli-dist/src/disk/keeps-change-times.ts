import { statfsSync } from 'node:fs';

// By their numbers in statfs(2): the file systems of a local disk that keep a time of change of their own. Others may
// show an old one for a while (NFS, SMB), take it from whoever mounted them (FUSE), or have none (FAT). In tmpfs pages
// are never written to a disk, so that a mapping once written to is edited for ever without a sign.
const tellingSystems: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0xca451a4e, // bcachefs
  0x794c7630, // overlayfs
]);

/**
 * Whether an edit of a file in a folder can be told by its time of change. Only Linux says what file system that is: on
 * a FAT or network disk elsewhere, a no-op install may tell of an edit late. What an install replaces, an update or a
 * verification is not decided by it anywhere.
 */
export function keepsChangeTimes(folder: string): boolean {
  return process.platform !== 'linux' || tellingSystems.has(statfsSync(folder).type);
}
