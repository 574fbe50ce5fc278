import { digestHex, type Sha256 } from '../digest/digest.js';
import type { Digest } from '../digest/is-digest.js';
import type { PackFile } from './pack-file.js';
import { comparePaths } from './pack-path.js';

/**
 * The identity of a pack's content, whatever archive it travels in: the SHA-256 of one line per file in byte order of
 * the paths, `<hex digest> <x or -> <size> <path>\n`. No separator can occur in a path, since control characters are
 * refused there.
 */
export function treeDigestOf(files: readonly PackFile[], sha256: Sha256): Digest {
  const sorted = files.toSorted((left, right) => comparePaths(left.path, right.path));
  return sha256(
    sorted
      .map(({ path, size, digest, executable }) => `${digestHex(digest)} ${executable ? 'x' : '-'} ${size} ${path}\n`)
      .join(''),
  );
}
