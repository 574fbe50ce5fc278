import { lstat, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { comparePaths, quoted, SkillsError } from '@skillpack/core';
import { detectFormat } from '../formats/detect-format.js';
import { looksOwn } from './looks-own.js';
import { readTextFile } from './read-text-file.js';
import { entriesOf, skillFoldersBelow } from './skill-folders-below.js';
import { skillAt, skillOfEvals } from './skill-of-evals.js';
import type { SkippedFile } from './skipped-file.js';
import { maxSuiteLength } from './suite-limits.js';

/** A file of cases that was found. */
export interface FoundSuite {
  /** Absolute. */
  readonly path: string;
  /** Whether the file is in our own format, or in one of another tool. */
  readonly kind: 'own' | 'foreign';
  /** The folder of the skill that it lies in, absolute. @default it lies in none */
  readonly skillFolder?: string | undefined;
}

/** Files of cases, by path. */
export interface FoundSuites {
  readonly suites: readonly FoundSuite[];
  readonly skipped: readonly SkippedFile[];
}

const caseFile = /\.(?:ya?ml|json|jsonl|csv)$/iu;

/**
 * Finds files of cases. A file is one of itself. Of the folder of a skill, they lie in its `evals/`; of another folder, in
 * its `evals/` and in those of every skill below it, but for what is in `node_modules` or `dist`; where there is nothing there, and in a folder
 * named `evals`, in the folder itself. Links to folders are not followed.
 *
 * @param path a file or a folder. @throws `FILE_NOT_FOUND`, `IO_ERROR`.
 */
export async function findSuites(path: string): Promise<FoundSuites> {
  const place = resolve(path);
  const what = await kindOf(place);
  if (what === 'file') return { suites: [await suiteAt(place)], skipped: [] };
  const suites: FoundSuite[] = [];
  const skipped: SkippedFile[] = [];
  const look = async (folder: string): Promise<void> => {
    const found = await suitesIn(folder);
    suites.push(...found.suites);
    skipped.push(...found.skipped);
  };
  if (basename(place) === 'evals') await look(place);
  await look(join(place, 'evals'));
  if ((await skillAt(place)) === undefined) {
    const below = await skillFoldersBelow(place);
    skipped.push(...below.skipped);
    for (const folder of below.folders) await look(join(folder, 'evals'));
  }
  if (suites.length === 0 && basename(place) !== 'evals') await look(place);
  const byPath = <Item extends { readonly path: string }>(items: readonly Item[]) =>
    items.toSorted((left, right) => comparePaths(left.path, right.path));
  return { suites: byPath(suites), skipped: byPath(skipped) };
}

async function kindOf(path: string): Promise<'file' | 'folder'> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) return 'folder';
    if (stats.isFile()) return 'file';
  } catch (cause) {
    throw notFound(path, cause);
  }
  throw notFound(path);
}

function notFound(path: string, cause?: unknown): SkillsError {
  return new SkillsError('FILE_NOT_FOUND', `There is no file or folder ${quoted(path)}.`, { cause, data: { path } });
}

/** A file that somebody named: what is wrong with it is told when it is read. */
async function suiteAt(path: string): Promise<FoundSuite> {
  const found = await lookAt(path);
  return 'reason' in found ? withSkill({ path, kind: 'foreign' }) : found;
}

async function suitesIn(folder: string): Promise<FoundSuites> {
  const suites: FoundSuite[] = [];
  const skipped: SkippedFile[] = [];
  if (!(await isFolder(folder))) return { suites, skipped };
  for (const entry of await entriesOf(folder)) {
    if (!entry.isFile() || !caseFile.test(entry.name)) continue;
    const found = await lookAt(join(folder, entry.name));
    if ('reason' in found) skipped.push(found);
    else suites.push(found);
  }
  return { suites, skipped };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch {
    return false;
  }
}

async function lookAt(path: string): Promise<FoundSuite | SkippedFile> {
  let text: string;
  try {
    text = await readTextFile(path, maxSuiteLength);
  } catch (error) {
    if (SkillsError.is(error)) return { path, reason: error.message };
    throw error;
  }
  const format = looksOwn(text) ? 'skillpack' : detectFormat(text, { fileName: path });
  if (format === undefined) return { path, reason: 'It is no file of cases in any format that is known.' };
  return withSkill({ path, kind: format === 'skillpack' ? 'own' : 'foreign' });
}

async function withSkill(found: FoundSuite): Promise<FoundSuite> {
  const skill = await skillOfEvals(found.path);
  return skill === undefined ? found : { ...found, skillFolder: skill.folder };
}
