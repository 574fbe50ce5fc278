import type { Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { defaultArchiveLimits, SkillsError, type LintedFile } from '@skillpack/core';
import { readSkillFile } from '../files/read-skill-file.js';

/** A skill's folder as it is checked. */
export interface ReadSkillFolder {
  /** The name of the folder. */
  readonly folder: string;
  /** The file as its name is written: `SKILL.md`, or `skill.md`. */
  readonly fileName: string;
  readonly source: Uint8Array;
  readonly files: readonly LintedFile[];
}

const firstLineBytes = 256;

/** Reads a folder that holds a SKILL.md: the file, and of every other one its path and first line. Links are not followed. */
export async function readSkillFolder(path: string): Promise<ReadSkillFolder> {
  const found = await readdir(path, { withFileTypes: true, recursive: true });
  const pathsOf = (wanted: (entry: Dirent) => boolean): string[] =>
    found
      .filter(wanted)
      .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .toSorted();
  const entries = pathsOf((entry) => entry.isFile());
  // The specification's spelling wins where a file system holds both.
  const fileName = entries.find((name) => name === 'SKILL.md') ?? entries.find((name) => /^skill\.md$/iu.test(name));
  if (fileName === undefined)
    throw new SkillsError('SKILL_NOT_FOUND', `${path} holds no SKILL.md.`, { data: { path } });
  if (entries.length > defaultArchiveLimits.entries) {
    throw new SkillsError(
      'INVALID_SKILL',
      `${path} holds ${entries.length} files; a pack holds at most ${defaultArchiveLimits.entries}.`,
      { data: { path, files: entries.length } },
    );
  }
  const files: LintedFile[] = [];
  for (const name of entries) {
    if (name !== fileName) files.push({ path: name, ...(await beginningOf(join(path, name))) });
  }
  // What packing leaves out anyway holds links of package managers.
  const links = pathsOf((entry) => entry.isSymbolicLink()).filter(
    (link) => !/(?:^|\/)(?:node_modules|\.git)\//u.test(link),
  );
  files.push(...links.map((link) => ({ path: link, link: true })));
  return { folder: basename(path), fileName, source: readSkillFile(join(path, fileName)), files };
}

async function beginningOf(path: string): Promise<Pick<LintedFile, 'firstLine' | 'executable'>> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(firstLineBytes), position: 0 });
    // Windows keeps no execute bit.
    const executable = process.platform === 'win32' ? undefined : ((await file.stat()).mode & 0o111) !== 0;
    return { firstLine: buffer.toString('utf8', 0, bytesRead).split(/\r?\n/u, 1)[0], executable };
  } finally {
    await file.close();
  }
}
