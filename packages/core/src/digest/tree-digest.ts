import { comparePaths } from './compare-paths.js';
import { digestHex, type Sha256 } from './digest.js';
import type { Digest } from './is-digest.js';

/** One regular file below a folder. */
export interface TreeFile {
  /** Relative to the folder, slash-separated. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly digest: Digest;
  /** Whether any execute bit is set. */
  readonly executable: boolean;
}

/**
 * The identity of what a folder holds, whatever archive it travels in: the SHA-256 of one line per file in byte order of
 * the paths, `<hex digest> <x or -> <size> <path>\n`. Of a pack no separator can occur in a path, since control characters
 * are refused there; paths of other folders are to be refused where they have one.
 */
export function treeDigestOf(files: readonly TreeFile[], sha256: Sha256): Digest {
  const sorted = files.toSorted((left, right) => comparePaths(left.path, right.path));
  return sha256(
    sorted
      .map(({ path, size, digest, executable }) => `${digestHex(digest)} ${executable ? 'x' : '-'} ${size} ${path}\n`)
      .join(''),
  );
}
