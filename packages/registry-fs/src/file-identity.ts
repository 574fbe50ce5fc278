import type { Stats } from 'node:fs';

/** What tells one state of a file from any other. Whoever writes to a file, or puts another in its place, changes it. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** Milliseconds since 1970, with what fractions the system knows. */
  readonly modified: number;
  /** As `modified`, of the last change of any kind, which no program can set. */
  readonly changed: number;
}

/** The identity of a file, from its `stat`. */
export function identityOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): FileIdentity {
  return { device: dev, inode: ino, size, modified: mtimeMs, changed: ctimeMs };
}
