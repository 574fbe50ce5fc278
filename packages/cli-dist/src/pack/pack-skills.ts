import {
  SkillsError,
  comparePaths,
  defaultArchiveLimits,
  findPathConflict,
  formatManifest,
  manifestFileName,
  parseManifest,
  quoted,
  type ArchiveLimits,
} from '@skillpack/core';
import { createArchiveWriter } from '../archive/archive-writer.js';
import { sha256 } from '../archive/sha256.js';
import { describePack } from './describe-pack.js';
import type { PackedPack, PackOptions } from './packed-pack.js';
import { readPackParts } from './read-pack-parts.js';

/**
 * Makes a pack of a folder: one that has a skillpack.json, or a single skill. Same files, same archive: neither the
 * time nor the machine nor the order of names on the disk is in it. Writes nothing.
 *
 * @param dir the folder.
 * @throws `FILE_NOT_FOUND`, `SKILL_NOT_FOUND`, `INVALID_PROJECT`, `INVALID_SKILL`, `INVALID_PATH`, `FILE_TOO_LARGE`,
 *   `USAGE` and `INVALID_VERSION` (no name or version), `IO_ERROR`, `INTERRUPTED`.
 * @example
 * ```ts
 * const pack = await packSkills('skills/pdf', { org: 'acme', version: '1.0.0' });
 * await writeFile(`pdf.${pack.format}`, pack.archive);
 * ```
 */
export async function packSkills(dir: string, options: PackOptions = {}): Promise<PackedPack> {
  const format = options.format ?? 'tgz';
  const limits = options.limits ?? defaultArchiveLimits;
  const parts = await readPackParts(dir, options);
  const { skills, files } = parts;
  checkSideBySide(files.map(({ path }) => path));
  const manifestText = formatManifest(describePack(parts, options));
  // Read back: what a reader would refuse must not leave the author's machine.
  const manifest = parseManifest(manifestText, sha256);
  const entry = { path: manifestFileName, bytes: Buffer.from(manifestText), executable: false };
  const archive = createArchiveWriter().write([...files, entry], format);
  checkArchive(archive, limits);
  return {
    manifest,
    archive,
    format,
    digest: sha256(archive),
    treeDigest: manifest.treeDigest,
    skills: skills.map(({ name, folder }) => ({ name, folder })),
    diagnostics: skills.flatMap(({ diagnostics }) => diagnostics),
    ignored: skills.flatMap(({ ignored }) => ignored).toSorted(comparePaths),
  };
}

function checkSideBySide(paths: readonly string[]): void {
  const conflict = findPathConflict(paths);
  if (conflict === undefined) return;
  const { path, other, kind } = conflict;
  const message = `${quoted(other)} and ${quoted(path)} cannot stand side by side on every system (${kind}).`;
  throw new SkillsError('INVALID_PATH', message, {
    hint: 'Rename one of them, or leave it out with a line in .skillpackignore.',
    data: { path, other, problem: kind },
  });
}

function checkArchive(archive: Uint8Array, { archiveBytes }: ArchiveLimits): void {
  if (archive.length <= archiveBytes) return;
  throw new SkillsError(
    'FILE_TOO_LARGE',
    `The archive has ${archive.length} bytes; a pack has at most ${archiveBytes}.`,
    {
      hint: 'Leave large files out with .skillpackignore, or make several packs.',
      data: { size: archive.length, limit: archiveBytes },
    },
  );
}
