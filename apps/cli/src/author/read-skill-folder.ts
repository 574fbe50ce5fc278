import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { defaultArchiveLimits, SkillsError, type LintedFile } from '@skillpack/core';
import { entriesBelow } from '../files/entries-below.js';
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
  const below = (await entriesBelow(path)).toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const entries = below.filter(({ kind }) => kind === 'file');
  const names = entries.map((entry) => entry.path);
  // The specification's spelling wins where a file system holds both.
  const fileName = names.find((name) => name === 'SKILL.md') ?? names.find((name) => /^skill\.md$/iu.test(name));
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
  for (const entry of entries) {
    if (entry.path !== fileName) files.push({ path: entry.path, ...(await beginningOf(entry.place)) });
  }
  // What packing leaves out anyway holds links of package managers.
  const links = below.filter((entry) => entry.kind === 'link' && !/(?:^|\/)(?:node_modules|\.git)\//u.test(entry.path));
  files.push(...links.map((link) => ({ path: link.path, link: true })));
  return { folder: basename(path), fileName, source: readSkillFile(join(path, fileName)), files };
}

async function beginningOf(path: string | Buffer): Promise<Pick<LintedFile, 'firstLine' | 'executable'>> {
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
