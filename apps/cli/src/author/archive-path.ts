import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SkillsError, splitPackName, type ArchiveFormat, type PackManifest } from '@skillpack/core';

/** Where an archive is written. */
export interface ArchivePlace {
  /** `--out`: a folder, or the path of the archive. */
  readonly out: string | undefined;
  readonly format: ArchiveFormat | undefined;
  /** Relative paths start from here. */
  readonly from: string;
}

/**
 * The format of an archive: as it is asked for, else as the ending of its path says.
 *
 * @throws `USAGE` when the two differ, or the path has no ending of an archive: it might be a file of another kind.
 */
export function archiveFormat({ out, format, from }: ArchivePlace): ArchiveFormat {
  if (out === undefined || isFolder(resolve(from, out))) return format ?? 'tgz';
  const named = /\.zip$/iu.test(out) ? 'zip' : /\.(?:tgz|tar\.gz)$/iu.test(out) ? 'tgz' : undefined;
  if (named === undefined || (format !== undefined && format !== named)) {
    throw new SkillsError(
      'USAGE',
      `--out is “${out}”; expected a folder that exists, or a path ending in .${format ?? 'tgz'}.`,
    );
  }
  return named;
}

/** The absolute path of the archive of a pack. */
export function archivePath(
  { name, version }: PackManifest,
  format: ArchiveFormat,
  { out, from }: ArchivePlace,
): string {
  const { org, base } = splitPackName(name);
  const file = `${org}-${base}-${version}.${format}`;
  if (out === undefined) return join(from, file);
  const path = resolve(from, out);
  return isFolder(path) ? join(path, file) : path;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
