const ignorable = /\p{Default_Ignorable_Code_Point}/gu;
const ascii = /^\p{ASCII}*$/u;

/**
 * The form under which two paths are the same file on some file system: case folded, composed, without characters that
 * some ignore. Two different paths with one folded form collide on macOS (case, canonical forms; HFS+ ignores
 * joiners), on Windows (case), on ext4 with `casefold`, or on ZFS with `normalization=formKC` (compatibility forms).
 */
export function foldPath(path: string): string {
  if (ascii.test(path)) return path.toLowerCase();
  // Lower, upper, lower joins what one step keeps apart: ß, ẞ and SS; the two sigmas; i and dotless ı.
  const cased = path.replaceAll(ignorable, '').normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  return cased.normalize('NFKC');
}
