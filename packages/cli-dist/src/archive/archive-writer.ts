import {
  SkillsError,
  comparePaths,
  findPathConflict,
  judgePath,
  pathProblems,
  quoted,
  type ArchiveFormat,
  type ArchiveInput,
  type ArchiveWriter,
} from '@skillpack/core';
import { writeTgz } from './write-tgz.js';
import { writeZip } from './write-zip.js';

/**
 * The writer of `.tgz` and `.zip` packs: files in byte order of their paths, modes 644 and 755, no folders, no owners,
 * no times, and compression in plain JavaScript, whose output depends neither on the machine nor on the version of Node.
 *
 * `write` throws `INVALID_PATH` for a path that no pack may hold, or two that are one on some system.
 */
export function createArchiveWriter(): ArchiveWriter {
  return { write: writeArchive };
}

function writeArchive(files: readonly ArchiveInput[], format: ArchiveFormat): Uint8Array {
  checkPaths(files);
  const sorted = files.toSorted((left, right) => comparePaths(left.path, right.path));
  return format === 'tgz' ? writeTgz(sorted) : writeZip(sorted);
}

function checkPaths(files: readonly ArchiveInput[]): void {
  for (const { path } of files) {
    const problem = judgePath(path);
    if (problem === undefined) continue;
    throw new SkillsError('INVALID_PATH', `${quoted(path)} cannot be packed: it ${pathProblems[problem]}.`, {
      hint: 'Rename the file.',
      data: { path, problem },
    });
  }
  const conflict = findPathConflict(files.map(({ path }) => path));
  if (conflict === undefined) return;
  const { path, other, kind } = conflict;
  throw new SkillsError('INVALID_PATH', `${quoted(path)} and ${quoted(other)} cannot be in one pack.`, {
    hint: 'On some systems the two are one file. Rename one of them.',
    data: { path, other, problem: kind },
  });
}
