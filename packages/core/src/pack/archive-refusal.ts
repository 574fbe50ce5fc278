import type { PathProblem } from './pack-path.js';

/** Why an archive was refused: `data.reason` of an `ARCHIVE_REFUSED` error. A closed list. */
export type ArchiveRefusal =
  | PathProblem
  // Paths against each other.
  | 'duplicate-path'
  | 'case-collision'
  | 'file-as-folder'
  // Kinds of entries.
  | 'symbolic-link'
  | 'hard-link'
  | 'device'
  | 'fifo'
  | 'sparse-file'
  | 'unknown-entry-type'
  | 'special-mode'
  // Sizes.
  | 'archive-too-large'
  | 'unpacked-too-large'
  | 'file-too-large'
  | 'too-many-entries'
  // The container.
  | 'unknown-format'
  | 'truncated'
  | 'trailing-data'
  | 'bad-checksum'
  | 'bad-compression'
  | 'bad-header'
  | 'header-mismatch'
  | 'overlapping-entries'
  | 'hidden-data'
  | 'encrypted'
  | 'unsupported-method'
  | 'multi-volume'
  | 'size-mismatch'
  | 'empty-archive'
  // What it says of itself.
  | 'missing-skill-file'
  | 'invalid-manifest'
  | 'manifest-mismatch';
