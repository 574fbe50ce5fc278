import { comparePaths, quoted, type PackFile, type PackManifest } from '@skillpack/core';
import { refuse } from './refuse.js';

/**
 * Holds the files of an archive to its manifest; both in byte order of their paths.
 *
 * @throws `ARCHIVE_REFUSED` naming the first difference.
 */
export function matchManifest(files: readonly PackFile[], { files: listed }: Pick<PackManifest, 'files'>): void {
  for (let index = 0; index < Math.max(files.length, listed.length); index += 1) {
    const file = files[index];
    const entry = listed[index];
    const order = file === undefined ? 1 : entry === undefined ? -1 : comparePaths(file.path, entry.path);
    if (order < 0) throw mismatch(file, 'is not listed in manifest.json');
    if (order > 0) throw mismatch(entry, 'is listed in manifest.json, but not there');
    if (file === undefined || entry === undefined) return;
    if (file.size !== entry.size) throw mismatch(file, `has ${file.size} bytes, but manifest.json says ${entry.size}`);
    if (file.digest !== entry.digest)
      throw mismatch(file, `has ${file.digest}, but manifest.json says ${entry.digest}`);
    if (file.executable !== entry.executable) {
      const [is, says] = file.executable ? ['is', 'is not'] : ['is not', 'is'];
      throw mismatch(file, `${is} executable, but manifest.json says it ${says}`);
    }
  }
}

function mismatch(file: PackFile | undefined, what: string): Error {
  const path = file?.path ?? '';
  return refuse('manifest-mismatch', `${quoted(path)} ${what}`, { path });
}
