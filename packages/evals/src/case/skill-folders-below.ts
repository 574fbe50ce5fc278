import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkippedFile } from './skipped-file.js';

// What is built holds copies of what is built from.
const skippedNames = new Set(['.git', 'dist', 'node_modules']);
const mostLevels = 8;
const mostFolders = 20_000;

/** Folders of skills. */
export interface SkillFolders {
  /** Absolute. */
  readonly folders: readonly string[];
  /** Folders that were not looked into. */
  readonly skipped: readonly SkippedFile[];
}

/** The folders below one that hold a SKILL.md, at most eight levels down. What is in the folder of a skill is its own. */
export async function skillFoldersBelow(top: string): Promise<SkillFolders> {
  const folders: string[] = [];
  const skipped: SkippedFile[] = [];
  let level: readonly string[] = [top];
  let seen = 0;
  for (let depth = 0; depth <= mostLevels && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (const folder of level) {
      seen += 1;
      if (seen > mostFolders) {
        return {
          folders,
          skipped: [...skipped, { path: folder, reason: `More than ${mostFolders} folders are not looked through.` }],
        };
      }
      const entries = await entriesOf(folder);
      if (folder !== top && entries.some((entry) => entry.isFile() && entry.name === 'SKILL.md')) {
        folders.push(folder);
        continue;
      }
      for (const entry of entries) {
        const path = join(folder, entry.name);
        if (entry.isDirectory() && !skippedNames.has(entry.name)) below.push(path);
        else if (entry.isSymbolicLink() && (await isSkill(path))) {
          skipped.push({ path, reason: 'It is a link to a skill: name the folder that it leads to.' });
        }
      }
    }
    level = below;
  }
  return { folders, skipped };
}

/** What is in a folder, by name; nothing where it is closed, or gone by now. */
export async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}

async function isSkill(path: string): Promise<boolean> {
  try {
    return (await stat(join(path, 'SKILL.md'))).isFile();
  } catch {
    return false;
  }
}
