import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SkillsError, splitPackName, type ArchiveFormat, type PackManifest } from '@skillpack/core';

/** Where an archive is written. */
export interface ArchivePlace {
  /** `--out`: a folder, or the path of the archive, which has its ending. */
  readonly out: string | undefined;
  readonly format: ArchiveFormat | undefined;
  /** Relative paths start from here. */
  readonly from: string;
}

/**
 * The format of an archive: as it is asked for, else as the ending of its path says.
 *
 * @throws `USAGE` when the two differ, or the path is that of a file which is no archive.
 */
export function archiveFormat({ out, format, from }: ArchivePlace): ArchiveFormat {
  if (out === undefined || isFolder(resolve(from, out))) return format ?? 'tgz';
  const named = formatIn(out);
  if (named === undefined && statSync(resolve(from, out), { throwIfNoEntry: false }) === undefined) {
    return format ?? 'tgz';
  }
  if (named === undefined || (format !== undefined && format !== named)) {
    throw new SkillsError('USAGE', `--out is “${out}”; expected a folder, or a path ending in .${format ?? 'tgz'}.`);
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
  return isFolder(path) || formatIn(out) === undefined ? join(path, file) : path;
}

function formatIn(path: string): ArchiveFormat | undefined {
  if (/\.zip$/iu.test(path)) return 'zip';
  return /\.(?:tgz|tar\.gz)$/iu.test(path) ? 'tgz' : undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
