/** The bounds an archive is held to before a byte of it is written. All sizes in bytes. */
export interface ArchiveLimits {
  /** The archive itself. @default 64 MiB */
  readonly archiveBytes: number;
  /** All files together, unpacked: the guard against bombs. @default 200 MiB */
  readonly unpackedBytes: number;
  /** One file. @default 50 MiB */
  readonly fileBytes: number;
  /** Files and folders. @default 5,000 */
  readonly entries: number;
  /** Components of a path. @default 32 */
  readonly depth: number;
  /** A path, as UTF-8. @default 1,024 */
  readonly pathBytes: number;
  /** One component of a path, as UTF-8. @default 255 */
  readonly componentBytes: number;
}

const MiB = 1024 * 1024;

/** The limits that hold unless others are configured. */
export const defaultArchiveLimits: ArchiveLimits = {
  archiveBytes: 64 * MiB,
  unpackedBytes: 200 * MiB,
  fileBytes: 50 * MiB,
  entries: 5_000,
  depth: 32,
  pathBytes: 1_024,
  componentBytes: 255,
};
